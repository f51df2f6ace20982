// Two processes write while two others open and close the database without a pause: nothing acknowledged may be lost.
// node bench/engine/stress/openers.mjs [seconds]    20 by default
import { rmSync } from 'node:fs';
import { bundleStorage } from '../../../tests/support/rounds/bundle.mjs';
import { start, temporary, verdict } from './processes.mjs';

const SECONDS = Number(process.argv[2] ?? 20);
const url = await bundleStorage('stress-openers');
const { openStore } = await import(url);
const dir = temporary('openers');
const writers = ['a', 'b'].map((name) => start(url, dir, 'write', name));
const openers = [start(url, dir, 'open'), start(url, dir, 'open')];
await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
const ends = await Promise.all([...writers, ...openers].map((child) => child.kill()));
const acknowledged = writers.flatMap((writer) => writer.lines);
const opened = openers.reduce((sum, opener) => sum + opener.lines.length, 0);
const store = await openStore({ dir });
const stored = new Set(store.read((view) => [...view.find('stress.rows', {})].map(({ doc }) => doc._id)));
const { problems } = await store.verify();
await store.close();
rmSync(dir, { recursive: true, force: true });
console.log(`${acknowledged.length} writes acknowledged beside ${opened} openings`);
verdict('processes that ended by themselves', ends.filter((end) => end !== 'SIGKILL').length);
verdict('acknowledged writes lost beside openers', acknowledged.filter((id) => !stored.has(id)).length);
verdict('problems found by the check', problems.length);
