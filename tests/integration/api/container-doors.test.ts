import fc from 'fast-check';
import { expect, it } from 'vitest';
import { calculate } from '#app/domain/calculator/calculate.ts';
import { parseCalculationForm } from '#app/domain/calculator/calculation-schema.ts';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { anyContainer } from '#tests/support/calculator-arbitraries.ts';
import { runCli } from '#tests/support/cli.ts';
import { sized } from '#tests/support/size.ts';
import { visibleText } from '#tests/support/html.ts';
import { useApi } from './world.ts';

const COUNT = sized(40, 10_000);
/** Concurrent requests. */
const WIDTH = 4;

const world = useApi();

/** Calculated on the device: the offline page runs this same code. */
function offline(fields: Readonly<Record<string, string>>) {
  const parsed = parseCalculationForm(fields);
  if (!parsed.ok) throw new Error(JSON.stringify([fields, parsed.fields]));
  return { input: parsed.input, result: calculate(parsed.input) };
}

const panel = (html: string) => visibleText(html.slice(html.indexOf('id="result"'))).replace(/\s+/g, ' ');

/** The containers of the test: the same at every run. */
const containers = fc.sample(anyContainer, { numRuns: COUNT, seed: 20_261_128 });

it(
  `page, API, batch and device say the same of ${COUNT} generated containers`,
  async () => {
    const api = await world.premium();
    const each = async (fields: Readonly<Record<string, string>>): Promise<void> => {
      const { result } = offline(fields);
      const page = await fetch(`${world.web.url}/calculator?${new URLSearchParams(fields)}`);
      expect(panel(await page.text()), JSON.stringify(fields)).toContain(result.summary);
      const saved = await api.post('/api/calculations', fields);
      expect(saved.status, JSON.stringify([fields, saved.body])).toBe(201);
      expect(saved.body.data?.['calculation']).toMatchObject({
        form: result.form,
        amountUnit: result.amountUnit,
        injectionVolumeText: result.injectionVolumeText,
        concentrationText: result.concentrationText,
        unitsText: result.unitsText,
        nearest: {
          count: result.nearestMark.units,
          of: result.nearestMark.noun,
          dose: result.nearestMark.deliveredDose,
        },
      });
    };
    let next = 0;
    await Promise.all(
      Array.from({ length: WIDTH }, async () => {
        while (next < COUNT) await each(containers[next++] ?? {});
      }),
    );

    const lines = containers
      .filter(({ syringe = 'u100-1ml' }) => syringe === 'u100-1ml')
      .map(({ syringe: _syringe, ...fields }) => fields);
    const batch = await runCli(['calc', '--batch', '-', '--format', 'ndjson'], {
      stdin: `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`,
    });
    const rows = batch.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(rows.map(({ injectionVolumeText, error }) => [injectionVolumeText, error])).toEqual(
      lines.map((fields) => [offline(fields).result.injectionVolumeText, undefined]),
    );
  },
  COUNT * 400 + 600_000,
);

it('what the hand gives is never more than the container holds', () => {
  fc.assert(
    fc.property(anyContainer, fc.constantFrom('0', '0.01', '0.2'), (fields, deadSpaceMl) => {
      const { input, result } = offline({ ...fields, ...(fields['form'] !== 'capsule' && { deadSpaceMl }) });
      const { dosesPerVial, form } = result;
      if (dosesPerVial === null || form === 'capsule') return;
      const volume = new Decimal(result.solutionVolumeText);
      const amount = new Decimal(input.peptideAmount).times(input.vials ?? 1);
      const dose = new Decimal(result.desiredDoseText);
      // dose × volume ÷ amount + loss, times the doses, multiplied by the amount so that nothing is divided
      const each = dose.times(volume).plus(new Decimal(deadSpaceMl).times(amount));
      const whole = volume.times(amount);
      expect(each.times(dosesPerVial).lte(whole)).toBe(true);
      expect(each.times(dosesPerVial + 1).gt(whole)).toBe(true);
    }),
    { numRuns: sized(500, 10_000) },
  );
});
