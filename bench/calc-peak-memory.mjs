// Loaded before a program: tells on stderr, when it ends, how many kB of memory it ever held.
process.on('exit', () => process.stderr.write(String(process.resourceUsage().maxRSS)));
