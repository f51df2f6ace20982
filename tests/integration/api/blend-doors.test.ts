import fc from 'fast-check';
import { expect, it } from 'vitest';
import { calculate } from '#app/domain/calculator/calculate.ts';
import { parseCalculationForm } from '#app/domain/calculator/calculation-schema.ts';
import { componentsText } from '#app/domain/calculator/components.ts';
import { anyBlend } from '#tests/support/calculator-arbitraries.ts';
import { runCli } from '#tests/support/cli.ts';
import { sized } from '#tests/support/size.ts';
import { visibleText } from '#tests/support/html.ts';
import { useApi } from './world.ts';

const COUNT = sized(40, 10_000);
/** Concurrent requests. */
const WIDTH = 4;

const world = useApi();

/** A blend calculated on the device: the offline page runs this same code. */
function offline(fields: Readonly<Record<string, string>>) {
  const parsed = parseCalculationForm(fields);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.fields));
  return calculate(parsed.input);
}

/** A letter of several bytes at the end of the renderer's buffer has zeros before it, which browsers leave out. */
const panel = (html: string) =>
  visibleText(html.slice(html.indexOf('id="result"')))
    .replaceAll('\0', '')
    .replace(/\s+/g, ' ');

const csvCell = (text: string) => `"${text.replaceAll('"', '""')}"`;

it(
  `five doors say the same of ${COUNT} generated blends`,
  async () => {
    const blends = fc.sample(anyBlend, { numRuns: COUNT, seed: 20_261_123 });
    const asked = blends.map(({ components, doseOf, waterVolume = '', desiredDose = '', displacement }) => ({
      components,
      fields: { doseOf, waterVolume, desiredDose, displacement: displacement ?? '0', syringe: 'u100-1ml' },
    }));
    const texts = asked.map(({ components, fields }) =>
      offline({ ...fields, components: componentsText(components) }),
    );
    const api = await world.premium();
    const each = async (at: number): Promise<void> => {
      const [one, text] = [asked[at], texts[at]];
      if (one === undefined || text === undefined) return;
      const { components, fields } = one;
      const rows = components.flatMap(({ name, amount }) => [
        ['componentName', name],
        ['componentAmount', amount],
      ]);
      const form = new URLSearchParams([...rows, ...Object.entries(fields)]);
      const address = new URLSearchParams({ ...fields, components: componentsText(components) });
      for (const query of [form, address]) {
        const page = await fetch(`${world.web.url}/calculator?${query}`);
        expect(panel(await page.text()), String(query)).toContain(text.summary);
      }
      const saved = await api.post('/api/calculations', { ...fields, components });
      expect(saved.status, JSON.stringify(saved.body)).toBe(201);
      expect(saved.body.data?.['calculation']).toMatchObject({
        injectionVolumeText: text.injectionVolumeText,
        unitsText: text.unitsText,
        concentrationText: text.concentrationText,
        components: text.components.map(({ name, dose, concentration }) => ({ name, dose, concentration })),
      });
    };
    let next = 0;
    await Promise.all(
      Array.from({ length: WIDTH }, async () => {
        while (next < COUNT) await each(next++);
      }),
    );
    // The options of a batch apply to all its rows.
    for (const displacement of new Set(asked.map(({ fields }) => fields.displacement))) {
      const at = asked.flatMap(({ fields }, index) => (fields.displacement === displacement ? [index] : []));
      const lines = at.map((index) => {
        const { components = [], fields } = asked[index] ?? {};
        const cells = [componentsText(components), fields?.doseOf, fields?.waterVolume, fields?.desiredDose];
        return cells.map((cell) => csvCell(cell ?? '')).join(',');
      });
      const csv = ['components,doseOf,waterVolume,desiredDose', ...lines].join('\n');
      const { code, stdout } = await runCli(
        ['calc', '--batch', '-', '--format', 'ndjson', '--displacement', displacement],
        { stdin: `${csv}\n` },
      );
      expect(code).toBe(0);
      const said = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(said.map(({ injectionVolumeText }) => injectionVolumeText)).toEqual(
        at.map((index) => texts[index]?.injectionVolumeText),
      );
      expect(said.map(({ concentrationText }) => concentrationText)).toEqual(
        at.map((index) => texts[index]?.concentrationText),
      );
    }
  },
  COUNT * 400 + 600_000,
);
