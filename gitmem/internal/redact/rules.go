package redact

// rules are the forms that need code of their own. A rule that takes what
// stands beside another one's word comes first.
var rules = [...]rule{
	{kindPrivateKey, matchPEM, []string{"-----begin"}},
	{kindPrivateKey, matchPutty, []string{"private-lines:"}},
	{kindPrivateKey, matchJWK, []string{`"d"`, `"k"`}},
	{kindJWT, matchJWT, []string{"eyj"}},
	{kindJWT, matchWrappedJWT, []string{"zxlk"}},
	{kindAWSSecret, matchAWSPair, []string{"akia", "asia"}},

	{kindURLPassword, matchURL, []string{"://"}},
	{kindURLPassword, matchDSN, []string{"@tcp(", "@unix("}},
	{kindURLPassword, matchOracle, []string{"thin:", "sqlplus ", "sqlldr ", "impdp ", "expdp ", "target ", "connect "}},
	{kindAuth, matchAuthorization, []string{"authorization"}},
	{kindAuth, matchBearer, []string{"bearer"}},

	{kindCookie, matchCookieHeader, []string{"cookie"}},
	{kindCookie, matchCookieFlag, []string{"-b "}},
	{kindCookie, matchSession, []string{"sessid=", "sessionid=", "_session=", "connect.sid="}},

	{kindPassword, matchUserFlag, []string{"-u ", "--user ", "--proxy-user "}},
	{kindPassword, matchNetrc, []string{"machine ", "default login "}},
	{kindPassword, matchDirective, []string{"bindpw ", "rootpw ", "requirepass ", "masterauth "}},
	{kindPassword, matchIdentified, []string{"identified by ", "identified with "}},
	{kindPassword, matchOpenSSL, []string{"-pass"}},
	{kindPassword, matchEcho, []string{"echo ", "printf "}},
	{kindPassword, matchHereString, []string{"<<<"}},
	{kindPassword, matchAnswer, []string{"send ", "sendline(", ".send("}},
	{kindPassword, matchAuthCommand, []string{"auth "}},
	{kindPassword, matchSMTP, []string{"334 ugfzc3dvcmq6"}},
	{kindPassword, matchWifi, []string{"wifi:"}},
	{kindPassword, matchCharArray, []string{".tochararray("}},
	{kindSecret, matchCharArray, []string{".getbytes("}},
	{kindSecret, matchWorkflow, []string{"add-mask::", "issecret=true]"}},
	{kindSecret, matchDecoded, []string{"frombase64string(", "b64decode(", "base64_decode(", "atob("}},
	{kindURLPassword, matchBrokenURL, []string{"sql:/", "odb:/", "dis:/", "amqp:/"}},
	{kindSecret, matchStored, []string{"ssm_parameter\"", "secret_version\"", "vault.azure.net/secrets/", "\"securestring\""}},
	{kindCookie, matchCookieJar, []string{"\ttrue\t", "\tfalse\t"}},
	{kindPassword, matchNothing, []string{"insert into ", "replace into "}},

	{kindKubernetes, matchKubernetes, []string{"data:"}},
}
