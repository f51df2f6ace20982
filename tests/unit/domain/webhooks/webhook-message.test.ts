import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { WEBHOOK_EVENTS } from '#app/domain/webhooks/webhook.ts';
import { webhookMessageShape } from '#app/domain/webhooks/webhook-message.ts';

/** The rows of the guide's table: events, and the fields of their data. */
const ROWS = [
  ...readFileSync('docs/webhooks.md', 'utf8').matchAll(/^\| (`[a-z]+[.-].*?) \| .*? \| (.*) \|$/gm),
].map(([, events = '', data = '']) => [events, data].map((cell) => cell.match(/(?<=`)[\w.-]+(?=`)/g) ?? []));

it('the guide has every event, and the API’s document every field of their data', () => {
  const events = ROWS.flatMap(([names]) => names ?? []);
  expect(events.toSorted()).toEqual(WEBHOOK_EVENTS.toSorted());
  const { shape } = webhookMessageShape.shape.data;
  const inComponents = ['name', 'dose'];
  const fields = ROWS.flatMap(([, names]) => names ?? []).filter(
    (name) => !WEBHOOK_EVENTS.includes(name as never),
  );
  const missing = fields.filter((name) => !(name in shape) && !inComponents.includes(name));
  expect(fields.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});
