// `node scripts/write-cli-reference.mjs`: updates the reference in docs/terminal.md from the built program.
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';

const { status, stdout } = spawnSync(process.execPath, ['build/cli/main.js', 'reference'], {
  encoding: 'utf8',
});
if (status !== 0) process.exit(1);
const page = 'docs/terminal.md';
const text = await readFile(page, 'utf8');
const block = /(<!-- cli-reference -->\n\n```text\n)[\s\S]*?(\n```)/;
await writeFile(
  page,
  text.replace(block, (_whole, head, tail) => `${head}${stdout.trimEnd()}${tail}`),
);
