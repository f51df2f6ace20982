import { expect, it } from 'vitest';
import { temporaryDirectory } from '#tests/support/engine.ts';
import { sized } from '#tests/support/size.ts';
import { transactionRounds } from '#tests/support/rounds/transaction-rounds.mjs';

it('transactions of four processes are wholly stored or not at all, also when the processes are killed', async () => {
  const { dir, remove } = await temporaryDirectory();
  const { acknowledged, problems } = await transactionRounds({ dir, rounds: sized(2, 100) });
  expect(problems).toEqual([]);
  expect(acknowledged).toBeGreaterThan(20);
  await remove();
});
