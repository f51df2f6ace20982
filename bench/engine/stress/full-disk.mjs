// Fills a small disk again and again: a write without room is refused with 14031, nothing acknowledged is lost, reads go on,
// and writes go on without a restart once there is room. Mounts a file system, which needs root.
// node bench/engine/stress/full-disk.mjs [rounds]    20 by default
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundleStorage } from '../../../tests/support/rounds/bundle.mjs';
import { temporary, verdict } from './processes.mjs';

const ROUNDS = Number(process.argv[2] ?? 20);
const NS = 'stress.rows';
const disk = temporary('disk');
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m,mode=0700', 'tmpfs', disk], {
  encoding: 'utf8',
});
if (mounted.status !== 0) throw new Error(`no file system could be mounted: ${mounted.stderr}`);
const { openStore } = await import(await bundleStorage('stress-full'));

/** Takes room away until almost none is left. */
function takeRoom(file) {
  try {
    writeFileSync(file, Buffer.alloc(24 * 1024 * 1024));
  } catch (error) {
    if (error.code !== 'ENOSPC') throw error;
  }
}

const outcome = { acknowledged: 0, refused: 0, otherwise: 0, unread: 0, stuck: 0, lost: 0 };
try {
  const store = await openStore({ dir: path.join(disk, 'data') });
  const known = new Set();
  const insert = async (_id) => {
    await store.write((txn) => txn.insert(NS, { _id, text: 'x'.repeat(1000) }));
    known.add(_id);
    outcome.acknowledged += 1;
  };
  const removeAll = () =>
    store.write((txn) => {
      for (const found of [...txn.find(NS, {})]) txn.remove(NS, found);
    });
  const ballast = path.join(disk, 'ballast');
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round % 2 === 1) takeRoom(ballast);
    for (let n = 0, isFull = false; !isFull; n += 1) {
      // Eight at a time, so that groups fail.
      const results = await Promise.allSettled(
        Array.from({ length: 8 }, (_, client) => insert(`${round}-${n}-${client}`)),
      );
      const failures = results.filter(({ status }) => status === 'rejected');
      outcome.refused += failures.length;
      outcome.otherwise += failures.filter(({ reason }) => reason.code !== 14031).length;
      isFull = failures.length > 0;
    }
    const stored = new Set(store.read((view) => [...view.find(NS, {})].map(({ doc }) => doc._id)));
    if (stored.size !== known.size) outcome.unread += 1;
    outcome.lost += [...known].filter((id) => !stored.has(id)).length;
    rmSync(ballast, { force: true });
    if (round % 2 === 1) await insert(`again ${round}`).catch(() => (outcome.stuck += 1));
    else {
      // The disk itself is full: somebody makes room for the removal.
      spawnSync('mount', ['-o', 'remount,size=96m', disk]);
      await removeAll();
      known.clear();
      await store.compact();
      spawnSync('mount', ['-o', 'remount,size=24m', disk]);
      await insert(`again ${round}`).catch(() => (outcome.stuck += 1));
    }
  }
  outcome.problems = (await store.verify()).problems.length;
  await store.close();
} finally {
  spawnSync('umount', [disk]);
  rmSync(disk, { recursive: true, force: true });
}
console.log(`${ROUNDS} full disks, ${outcome.acknowledged} writes acknowledged, ${outcome.refused} refused`);
verdict('refusals with another code than 14031', outcome.otherwise);
verdict('reads of a full disk that differ from what was acknowledged', outcome.unread);
verdict('acknowledged writes lost on a full disk', outcome.lost);
verdict('writes refused although there is room again', outcome.stuck);
verdict('problems found by the check', outcome.problems);
