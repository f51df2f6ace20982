// Kills processes during transactions and checks whether anything acknowledged was lost, or anything stored by half.
// npm run bench -- transactions [rounds]    100 rounds by default; ends with code 1 when there was a problem
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { transactionRounds } from '../../tests/support/rounds/transaction-rounds.mjs';

const rounds = Number(process.argv[2] ?? 100);
const dir = mkdtempSync(path.join(tmpdir(), 'transactions-'));
const { acknowledged, problems } = await transactionRounds({
  dir,
  rounds,
  onRound: (round, count) => {
    if (round % 10 === 0 || round === rounds)
      console.log(`${round} rounds, ${count} transactions acknowledged`);
  },
});
for (const problem of problems) console.error(problem);
const verdict = problems.length === 0 ? 'ok' : 'MISSED';
console.log(
  `problems found after ${rounds} rounds of SIGKILL and ${acknowledged} transactions   ${problems.length}   to reach 0   ${verdict}`,
);
rmSync(dir, { recursive: true, force: true });
process.exitCode = problems.length === 0 ? 0 : 1;
