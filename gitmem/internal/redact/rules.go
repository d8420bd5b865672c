package redact

// rules are the forms that need code of their own. A rule that takes what
// stands beside another one's word comes first.
var rules = [...]rule{
	{"-----begin", kindPrivateKey, matchPEM},
	{"private-lines:", kindPrivateKey, matchPutty},
	{"\"d\"|\"k\"", kindPrivateKey, matchJWK},
	{"eyj", kindJWT, matchJWT},
	{"zxlk", kindJWT, matchWrappedJWT},
	{"akia|asia", kindAWSSecret, matchAWSPair},

	{"://", kindURLPassword, matchURL},
	{"@tcp(|@unix(", kindURLPassword, matchDSN},
	{"thin:|sqlplus |sqlldr |impdp |expdp |target ", kindURLPassword, matchOracle},
	{"authorization", kindAuth, matchAuthorization},
	{"bearer", kindAuth, matchBearer},

	{"cookie", kindCookie, matchCookieHeader},
	{"-b ", kindCookie, matchCookieFlag},
	{"sessid=|sessionid=|_session=|connect.sid=", kindCookie, matchSession},

	{"-u |--user |--proxy-user ", kindPassword, matchUserFlag},
	{"machine |default login ", kindPassword, matchNetrc},
	{"bindpw |rootpw |requirepass |masterauth ", kindPassword, matchDirective},
	{"identified by |identified with ", kindPassword, matchIdentified},
	{"-pass", kindPassword, matchOpenSSL},
	{"echo |printf ", kindPassword, matchEcho},
	{"<<<", kindPassword, matchHereString},
	{"connect ", kindURLPassword, matchOracle},
	{"send |sendline(|.send(", kindPassword, matchAnswer},
	{"auth ", kindPassword, matchAuthCommand},
	{"334 ugfzc3dvcmq6", kindPassword, matchSMTP},
	{"wifi:", kindPassword, matchWifi},
	{".tochararray(", kindPassword, matchCharArray},
	{".getbytes(", kindSecret, matchCharArray},
	{"add-mask::|issecret=true]", kindSecret, matchWorkflow},
	{"frombase64string(|b64decode(|base64_decode(|atob(", kindSecret, matchDecoded},
	{"sql:/|odb:/|dis:/|amqp:/", kindURLPassword, matchBrokenURL},
	{"ssm_parameter\"|secret_version\"|vault.azure.net/secrets/|\"securestring\"", kindSecret, matchStored},
	{"\ttrue\t|\tfalse\t", kindCookie, matchCookieJar},
	{"insert into |replace into ", kindPassword, matchNothing},

	{"data:", kindKubernetes, matchKubernetes},
}
