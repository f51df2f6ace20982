import { describe, expect, it } from 'vitest';
import { BLEND_VECTORS, blendQuery } from '#tests/support/blend-vectors.ts';
import { CALCULATOR_VECTORS } from '#tests/support/calculator-vectors.ts';
import { SYRINGES } from '#app/domain/calculator/calculation.ts';
import { warningMessage } from '#app/domain/calculator/calculate.ts';
import { syringeScale } from '#app/domain/calculator/nearest-mark.ts';
import { compactText, visibleText } from '#tests/support/html.ts';
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
      const message = warningMessage(code, syringeScale(syringe), vector.draws);
      expect(shown.includes(message), code).toBe(vector.warnings.includes(code));
    }
  });

  it('is the same with a comma, for a signed-in user, in the history and in files', async () => {
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

describe('the measured content', () => {
  const fields = { peptideAmount: '5', measuredAmount: '4.8', waterVolume: '2', desiredDose: '0.25' };

  it('is used if given, shown next to the result for the printed amount, and saved', async () => {
    const client = await web.user();
    const page = await client.get(`/dashboard/calculator?${new URLSearchParams(fields)}`);
    const shown = visibleText(panel(page.body));
    expect(shown).toContain('With the printed amount it would be 0.100 ml (10 units), 0.417 units less');
    expect(compactText(panel(page.body))).toContain('10.42units');
    expect((await client.post('/dashboard/calculator', { ...fields, peptideName: 'Measured' })).status).toBe(
      302,
    );
    const history = visibleText((await client.get('/dashboard/calculator?history=1')).body);
    expect(history).toContain('4.8 mg measured in 2 ml');
    const json = await client.get('/dashboard/export/file?format=json&types=calculations');
    const [row] = (JSON.parse(json.body) as { calculations: Record<string, unknown>[] }).calculations;
    expect(row).toMatchObject({ peptideAmount: 5, measuredAmount: 4.8, concentrationText: '2.40' });
    const asVial = await client.get(`/dashboard/vials/new?${new URLSearchParams(fields)}`);
    expect(asVial.body).toMatch(/name="totalAmount"[^>]*value="5"/);
  });

  it('is offered if a lot was measured, with the amounts and the water of the vial', async () => {
    const client = await web.user();
    const vial = { name: 'BPC-157', totalAmount: '5', waterMl: '2', lot: 'M-1' };
    const location = (await client.post('/dashboard/vials/new', vial)).location ?? '';
    expect((await client.get(location)).body).not.toContain('measuredAmount');
    const lots = (await client.get('/dashboard/lots')).body;
    const lot = /\/dashboard\/lots\/(?!new)[\w-]+/.exec(lots)?.[0] ?? expect.unreachable('no lot');
    const certificate = { number: 'M-1', product: 'BPC-157', purityPercent: '99', netContentMg: '4.8' };
    expect((await client.post(`${lot}/edit`, certificate)).status).toBe(302);
    for (const [page, water] of [
      [location, '2'],
      [lot, undefined],
    ] as const) {
      const { body } = await client.get(page);
      const form = body.slice(body.indexOf('action="/dashboard/calculator"'));
      const sent = (name: string) => new RegExp(`name="${name}"[^>]*? value="([^"]*)"`).exec(form)?.[1];
      expect([sent('peptideAmount'), sent('measuredAmount')]).toEqual(['5', '4.8']);
      if (water !== undefined) expect(sent('waterVolume')).toBe(water);
      expect(visibleText(body)).toContain('4% less than printed');
    }
  });
});

describe('a blend', () => {
  it.each(BLEND_VECTORS)('is shown for its address: $doseOf of $components', async (vector) => {
    const { status, body } = await web.visitor().get(`/calculator?${blendQuery(vector)}`);
    expect(status).toBe(200);
    const shown = visibleText(panel(body));
    vector.components.forEach(({ name, amount }, at) => {
      expect(compactText(panel(body))).toContain(`${vector.doses[at]?.replace(' ', '')}inthisdraw`);
      expect(shown).toContain(`${name} ${amount} mg`);
      expect(shown).toContain(`${name} ${vector.concentrations[at]} mg/ml`);
    });
    expect(compactText(panel(body))).toContain(`${vector.units}units${vector.volume}ml`);
  });

  /** The query that the rows of a page would send back, and which row its dose is of. */
  const rowsOf = (html: string) => ({
    names: [...html.matchAll(/name="componentName"[^>]*? value="([^"]*)"/g)].map(([, name]) => name),
    amounts: [...html.matchAll(/name="componentAmount"[^>]*? value="([^"]*)"/g)].map(([, amount]) => amount),
    dosed: /name="doseOf"[^>]*?checked=""[^>]*? value="(\d)"/.exec(html)?.[1],
  });

  it('gains and loses rows without scripts, and keeps what was typed', async () => {
    const ask = async (query: string) => {
      const { status, body } = await web.visitor().get(`/calculator?${query}`);
      expect(status).toBe(200);
      return body;
    };
    const water = 'waterVolume=2&desiredDose=250&desiredDoseUnit=mcg';
    const begun = await ask(`peptideAmount=5&peptideName=BPC-157&${water}&blend=add`);
    expect(rowsOf(begun)).toEqual({ names: ['BPC-157', ''], amounts: ['5', ''], dosed: '1' });
    expect(begun).toMatch(/name="waterVolume"[^>]*? value="2"/);
    const rows = 'componentName=BPC-157&componentAmount=5&componentName=TB-500&componentAmount=10';
    const three = await ask(`${rows}&doseOf=2&${water}&blend=add`);
    expect(rowsOf(three)).toEqual({ names: ['BPC-157', 'TB-500', ''], amounts: ['5', '10', ''], dosed: '2' });
    const chosen = await ask(`${rows}&${water}&blend=ghk-bpc-tb`);
    expect(rowsOf(chosen)).toEqual({
      names: ['GHK-Cu', 'BPC-157', 'TB-500'],
      amounts: ['50', '10', '10'],
      dosed: '1',
    });
    const fewer = await ask(`${rows}&componentName=KPV&componentAmount=1&doseOf=3&${water}&blend=remove-1`);
    expect(rowsOf(fewer)).toEqual({ names: ['TB-500', 'KPV'], amounts: ['10', '1'], dosed: '2' });
    const single = await ask(`${rows}&${water}&blend=remove-2`);
    expect(single).toMatch(/name="peptideAmount"[^>]*? value="5"/);
    expect(rowsOf(single).names).toEqual([]);
  });

  it('says at its own row what is wrong', async () => {
    const query = 'componentName=BPC-157&componentAmount=5&componentName=TB-500&componentAmount=500';
    const { status, body } = await web.visitor().get(`/calculator?${query}&waterVolume=2&desiredDose=0.25`);
    expect(status).toBe(400);
    expect(body).toMatch(/id="componentAmount-2"[^>]*aria-describedby="componentAmount-2-error/);
    expect(visibleText(body)).toContain('TB-500: Peptide amount must be between 0.1mg and 100mg');
  });
});
