import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('only the audit trail’s models know how its rows are stored', () => {
  const files = readdirSync('models').filter((file) => file.endsWith('.ts'));
  const open = files.filter((file) => readFileSync(`models/${file}`, 'utf8').includes('auditSchema'));
  expect(open.filter((file) => file.startsWith('audit'))).not.toEqual([]);
  expect(open.filter((file) => !file.startsWith('audit'))).toEqual([]);
});
