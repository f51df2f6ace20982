// `npm run cli-reference`: writes the command line's reference into the README, from the built program.
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';

const { status, stdout } = spawnSync(process.execPath, ['build/cli/main.js', 'reference'], {
  encoding: 'utf8',
});
if (status !== 0) process.exit(1);
const readme = await readFile('README.md', 'utf8');
const block = /(<!-- cli-reference -->\n\n```text\n)[\s\S]*?(\n```)/;
await writeFile(
  'README.md',
  readme.replace(block, (_whole, head, tail) => `${head}${stdout.trimEnd()}${tail}`),
);
