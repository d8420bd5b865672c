package redact

// rules are the forms that need code of their own. A rule whose value is near the word of
// another one comes first.
var rules = [...]rule{
	{kindPrivateKey, matchPEM, nil, []string{"-----begin"}},
	{kindPrivateKey, matchPutty, nil, []string{"private-lines:"}},
	{kindPrivateKey, matchJWK, nil, []string{`"d"`, `"k"`}},
	{kindJWT, matchJWT, nil, []string{"eyj"}},
	{kindJWT, matchWrappedJWT, noAlnum, []string{"zxlk"}},
	{kindAWSSecret, matchAWSPair, noAlnum, []string{"akia", "asia"}},

	{kindURLPassword, matchURL, nil, []string{"://"}},
	{kindURLPassword, matchDSN, nil, []string{"@tcp(", "@unix("}},
	{kindURLPassword, matchOracle, nil, []string{"thin:", "sqlplus ", "sqlldr ", "impdp ", "expdp ",
		"target ", "connect "}},
	{kindAuth, matchAuthorization, nil, []string{"authorization"}},
	{kindAuth, matchBearer, noAlnum, []string{"bearer"}},

	{kindCookie, matchCookieHeader, noAlnum, []string{"cookie"}},
	{kindCookie, matchCookieFlag, isSpace, []string{"-b "}},
	{kindCookie, matchSession, nil, []string{"sessid=", "sessionid=", "_session=", "connect.sid="}},

	{kindPassword, matchUserFlag, precedesArgument, []string{"-u ", "--user ", "--proxy-user "}},
	{kindPassword, matchNetrc, nil, []string{"machine ", "default login "}},
	{kindPassword, matchDirective, noWord, []string{"bindpw ", "rootpw ", "requirepass ", "masterauth "}},
	{kindPassword, matchIdentified, nil, []string{"identified by ", "identified with "}},
	{kindPassword, matchOpenSSL, nil, []string{"-pass"}},
	{kindPassword, matchEcho, noAlnum, []string{"echo ", "printf "}},
	{kindPassword, matchHereString, nil, []string{"<<<"}},
	{kindPassword, matchAnswer, nil, []string{"send ", "sendline(", ".send("}},
	{kindPassword, matchAuthCommand, noName, []string{"auth "}},
	{kindPassword, matchSMTP, nil, []string{"334 ugfzc3dvcmq6"}},
	{kindPassword, matchWifi, nil, []string{"wifi:"}},
	{kindPassword, matchCharArray, nil, []string{".tochararray("}},
	{kindSecret, matchCharArray, nil, []string{".getbytes("}},
	{kindSecret, matchWorkflow, nil, []string{"add-mask::", "issecret=true]"}},
	{kindSecret, matchDecoded, nil, []string{"frombase64string(", "b64decode(", "base64_decode(", "atob("}},
	{kindURLPassword, matchBrokenURL, nil, []string{"sql:/", "odb:/", "dis:/", "amqp:/"}},
	{kindSecret, matchStored, nil, []string{"ssm_parameter\"", "secret_version\"", "vault.azure.net/secrets/",
		"\"securestring\""}},
	{kindCookie, matchCookieJar, nil, []string{"\ttrue\t", "\tfalse\t"}},
	{kindPassword, nil, nil, []string{"insert into ", "replace into "}},

	{kindKubernetes, matchKubernetes, nil, []string{"data:"}},
}
