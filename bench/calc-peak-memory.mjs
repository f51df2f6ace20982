// Loaded before a program: prints its peak memory in kB to stderr when it ends.
process.on('exit', () => process.stderr.write(String(process.resourceUsage().maxRSS)));
