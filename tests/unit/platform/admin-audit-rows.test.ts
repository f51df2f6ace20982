import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Issue 8: whoever adds a change that administrators make is reminded of its audit row. */
const FOLDER = 'app/services';
const WRITES = /\b(?:authoriseRecentOver|openSubject)\(/;
/** Also by another service that is held to the same. */
const NOTES = /\b(?:recordAudit|finishChange|changeRole)\(/;
/** The door itself, which asks the policy for those who note; and the page that asks once more, which changes nothing. */
const DOORS = ['authoriseRecentOver', 'openSubject', 'openChange'];

interface Found {
  name: string;
  body: string;
}

/** Every function of a file that stands on its own, with its text. */
function functionsOf(source: string): Found[] {
  const pieces = source.split(/^(?:export )?(?:async )?function /m).slice(1);
  return pieces.map((piece) => ({ name: /^\w+/.exec(piece)?.[0] ?? '', body: piece }));
}

const services = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.server.ts'))
  .flatMap((file) =>
    functionsOf(readFileSync(`${FOLDER}/${file}`, 'utf8')).map((found) => ({ file, ...found })),
  );

it('every service that changes something as an administrator writes an audit row', () => {
  const changing = services.filter(({ name, body }) => WRITES.test(body) && !DOORS.includes(name));
  expect(changing.length).toBeGreaterThanOrEqual(12);
  const silent = changing.filter(({ body }) => !NOTES.test(body)).map(({ file, name }) => `${file}: ${name}`);
  expect(silent).toEqual([]);
});

it('only the repositories of the audit trail open its collection', () => {
  const files = readdirSync('models').filter((file) => file.endsWith('.ts'));
  const open = files.filter((file) => readFileSync(`models/${file}`, 'utf8').includes('auditSchema'));
  expect(open.toSorted()).toEqual(['audit.server.ts']);
});
