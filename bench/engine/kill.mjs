// Kills processes during writes and compactions and checks whether anything acknowledged was lost.
// npm run bench -- kill [rounds]    100 rounds by default; ends with code 1 when anything was lost
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleStorage } from '../../tests/support/rounds/bundle.mjs';
import { killRounds } from '../../tests/support/rounds/kill-rounds.mjs';

const rounds = Number(process.argv[2] ?? 100);
const dir = mkdtempSync(path.join(tmpdir(), 'kill-'));
const outcome = await killRounds({
  url: await bundleStorage('kill'),
  dir,
  rounds,
  onRound: (round, { acknowledged, compactions }) => {
    if (round % 10 === 0 || round === rounds)
      console.log(`${round} rounds, ${compactions} during a compaction, ${acknowledged} writes acknowledged`);
  },
});
for (const problem of outcome.problems) console.error(problem);
const lost = outcome.problems.length;
const verdict = lost === 0 ? 'ok' : 'MISSED';
console.log(`problems found after ${rounds} rounds of SIGKILL   ${lost}   to reach 0   ${verdict}`);
console.log(
  `${rounds} rounds of SIGKILL: ${outcome.problems.length === 0 ? 'nothing acknowledged lost, every check clean' : 'FAILED'}`,
);
rmSync(dir, { recursive: true, force: true });
process.exitCode = outcome.problems.length === 0 ? 0 : 1;
