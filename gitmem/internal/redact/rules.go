package redact

// rules are the forms that need code of their own. A rule that takes what
// stands beside another one's word comes first.
var rules = [...]rule{
	{"-----begin", kindPrivateKey, matchPEM},
	{"private-lines:", kindPrivateKey, matchPutty},
	{`"d"`, kindPrivateKey, matchJWK},
	{`"k"`, kindPrivateKey, matchJWK},
	{"eyj", kindJWT, matchJWT},
	{"zxlk", kindJWT, matchWrappedJWT},
	{"akia", kindAWSSecret, matchAWSPair},
	{"asia", kindAWSSecret, matchAWSPair},

	{"://", kindURLPassword, matchURL},
	{"@tcp(", kindURLPassword, matchDSN},
	{"@unix(", kindURLPassword, matchDSN},
	{"thin:", kindURLPassword, matchOracle},
	{":5432:", kindPassword, matchPgpass},
	{"authorization", kindAuth, matchAuthorization},
	{"bearer", kindAuth, matchBearer},

	{"cookie", kindCookie, matchCookieHeader},
	{"-b ", kindCookie, matchCookieFlag},
	{"sessid=", kindCookie, matchSession},
	{"sessionid=", kindCookie, matchSession},
	{"_session=", kindCookie, matchSession},
	{"connect.sid=", kindCookie, matchSession},

	{"-u ", kindPassword, matchUserFlag},
	{"--user ", kindPassword, matchUserFlag},
	{"--proxy-user ", kindPassword, matchUserFlag},
	{"machine ", kindPassword, matchNetrc},
	{"default login ", kindPassword, matchNetrc},
	{"requirepass ", kindPassword, matchDirective},
	{"masterauth ", kindPassword, matchDirective},
	{"identified by ", kindPassword, matchIdentified},
	{"-pass", kindPassword, matchOpenSSL},
	{"echo ", kindPassword, matchEcho},
	{"sshpass ", kindPassword, matchCommand},
	{"mysql", kindPassword, matchCommand},
	{"mariadb", kindPassword, matchCommand},
	{" login ", kindPassword, matchCommand},
	{"redis-cli ", kindPassword, matchCommand},
	{"ldapsearch ", kindPassword, matchCommand},
	{"ldapmodify ", kindPassword, matchCommand},
	{"ldapadd ", kindPassword, matchCommand},
	{"secret set ", kindPassword, matchCommand},
	{"htpasswd ", kindPassword, matchHtpasswd},

	{"data:", kindKubernetes, matchKubernetes},
}
