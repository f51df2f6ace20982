import { describe, expect, it } from 'vitest';
import { CALCULATOR_VECTORS } from '#tests/support/calculator-vectors.ts';
import { SYRINGES } from '#app/domain/calculator/calculation.ts';
import { warningMessage } from '#app/domain/calculator/calculate.ts';
import { compactText, visibleText } from './html.ts';
import { useWeb } from './web.ts';

/** The published examples, through the address of the public calculator and through saving. */
const web = useWeb();

/** What stands in the result panel. */
const panel = (html: string) => html.slice(html.indexOf('id="result"'));

describe.each(CALCULATOR_VECTORS)('$name', (vector) => {
  const fields = {
    peptideAmount: vector.amount,
    waterVolume: vector.water,
    desiredDose: vector.dose,
    desiredDoseUnit: vector.doseUnit,
  };

  it('is shown for its address, with every figure and its warnings', async () => {
    const { status, body } = await web.visitor().get(`/calculator?${new URLSearchParams(fields)}`);
    expect(status).toBe(200);
    const shown = visibleText(panel(body));
    const compact = compactText(panel(body));
    expect(shown).toContain(vector.summary);
    expect(compact).toContain(`${vector.concentrationText}mg/ml`);
    expect(compact).toContain(`${vector.injectionVolumeText}ml`);
    expect(compact).toContain(`${vector.unitsText}units`);
    const syringe = SYRINGES['u100-1ml'];
    const codes = [
      'SMALL_VOLUME',
      'LARGE_VOLUME',
      'HIGH_CONCENTRATION',
      'SEVERAL_DRAWS',
      'MARK_ERROR',
    ] as const;
    for (const code of codes) {
      const message = warningMessage(code, syringe, vector.draws);
      expect(shown.includes(message), code).toBe(vector.warnings.includes(code));
    }
  });

  it('is the same with a comma, for a signed-in user, and in the history and the files', async () => {
    const client = await web.user();
    const withComma = Object.fromEntries(
      Object.entries(fields).map(([name, text]) => [name, text.replace('.', ',')]),
    );
    const page = await client.get(`/dashboard/calculator?${new URLSearchParams(withComma)}`);
    expect(visibleText(panel(page.body))).toContain(vector.summary);
    const saved = await client.post('/dashboard/calculator', { ...withComma, peptideName: 'Vector' });
    expect(saved.status).toBe(302);
    const history = visibleText((await client.get('/dashboard/calculator?history=1')).body);
    expect(history).toContain(`${vector.concentrationText} mg/ml`);
    expect(history).toContain(`mg = ${vector.injectionVolumeText} ml`);
    const json = await client.get('/dashboard/export/file?format=json&types=calculations');
    const [row] = (JSON.parse(json.body) as { calculations: Record<string, unknown>[] }).calculations;
    expect(row).toMatchObject({
      peptideAmount: Number(vector.amount),
      waterVolume: Number(vector.water),
      desiredDose: vector.doseMg,
      concentration: vector.concentration,
      injectionVolume: vector.injectionVolume,
      concentrationText: vector.concentrationText,
      injectionVolumeText: vector.injectionVolumeText,
    });
    const csv = await client.get('/dashboard/export/file?format=csv&types=calculations');
    expect(csv.body).toContain(`,${vector.concentrationText},${vector.injectionVolumeText},`);
  });
});

describe('the other ways of solving', () => {
  it.each([
    ['water', { peptideAmount: '5', desiredDose: '250', desiredDoseUnit: 'mcg', drawVolume: '0.1' }, '2 ml'],
    ['dose', { peptideAmount: '5', waterVolume: '2', drawVolume: '0.1' }, '0.25 mg'],
  ])('%s', async (solveFor, fields, solved) => {
    const { status, body } = await web
      .visitor()
      .get(`/calculator?${new URLSearchParams({ ...fields, solveFor } as Record<string, string>)}`);
    expect(status).toBe(200);
    expect(visibleText(panel(body)).replace(/ /g, ' ')).toContain(solved);
    expect(visibleText(panel(body))).toContain('5 mg + 2 ml = 2.50 mg/ml; 0.25 mg = 0.100 ml (10 units)');
  });

  it('counts units on the chosen barrel', async () => {
    const query = 'peptideAmount=5&waterVolume=2&desiredDose=0.25&syringe=u40-1ml';
    const { body } = await web.visitor().get(`/calculator?${query}`);
    expect(compactText(panel(body))).toContain('4units');
  });
});
