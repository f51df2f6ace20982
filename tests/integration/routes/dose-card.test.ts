import { beforeAll, describe, expect, it } from 'vitest';
import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import { addVial } from '#app/features/vials/vials.server.ts';
import { elements, screenOf, textOf, visibleText } from '#tests/support/html.ts';
import { laterToday } from '#tests/support/schedules.ts';
import { asSomeone } from '#tests/support/someone.ts';
import type { WebClient } from './web-client.ts';
import { useWeb } from './web.ts';

const web = useWeb();

const RESULT = 'peptideName=BPC-157&peptideAmount=5&waterVolume=2&desiredDose=275&desiredDoseUnit=mcg';

const rowsOf = (html: string): string[] => elements(html, 'tbody tr').map(textOf);

describe('the card of a result', () => {
  it('has the doses with what to draw, the syringe, and a QR code', async () => {
    const { status, body } = await web.visitor().get(`/calculator/card?${RESULT}`);
    const screen = screenOf(body);
    expect(status).toBe(200);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Dose card: BPC-157');
    expect(rowsOf(body)).toEqual([
      '137.5 mcg 5 units 0.055 ml 9.09% less',
      '275 mcg 11 units 0.11 ml exact',
      '412.5 mcg 16 units 0.165 ml 3.03% less',
      '550 mcg 22 units 0.22 ml exact',
    ]);
    expect(screen.getByRole('img', { name: 'U-100 1 ml syringe filled to 11 units' })).toBeDefined();
    expect(screen.getByRole('img', { name: /^QR code/ })).toBeDefined();
    expect(visibleText(body)).toContain('Concentration 2.5 mg/ml');
    expect(visibleText(body)).toContain('Research reference only');
  });

  it('leads back to the result, and to the same as a file', async () => {
    const visitor = web.visitor();
    const { body } = await visitor.get(`/calculator/card?${RESULT}&mode=&notes=mine&history=1`);
    const linkTo = (name: string) => screenOf(body).getByRole('link', { name }).getAttribute('href') ?? '';
    const result = await visitor.get(linkTo('Back to the calculator'));
    expect(visibleText(result.body)).toContain('0.275 mg = 0.110 ml (11 units)');
    expect(result.body).not.toContain('mine');
    const file = await visitor.get(linkTo('Download PDF file'));
    expect(file.body.slice(0, 5)).toBe('%PDF-');
  });

  it('in international units draws nothing from a pen and names no mass', async () => {
    const { status, body } = await web
      .visitor()
      .get(
        '/calculator/card?form=pen&amountUnit=IU&concentration=1000&containerVolume=3&clickMl=0.01&desiredDose=52&desiredDoseUnit=IU',
      );
    expect(status).toBe(200);
    expect(rowsOf(body)[1]).toBe('52 IU 5 clicks 5.2 clicks, 0.052 ml 3.85% less');
    expect(screenOf(body).queryByRole('img', { name: /syringe/ })).toBeNull();
    expect(visibleText(body)).not.toMatch(/\bmg\b|\bmcg\b/);
  });

  it('is a PDF file with format=pdf', async () => {
    const visitor = web.visitor();
    const { status, location } = await visitor.get(`/calculator/card?${RESULT}&format=pdf`);
    expect(status).toBe(302);
    const file = await visitor.get(location ?? '');
    expect([file.status, file.headers['content-type'], file.headers['content-disposition']]).toEqual([
      200,
      'application/pdf',
      'attachment; filename="vialbook-dose-card.pdf"',
    ]);
    expect(file.body.slice(0, 5)).toBe('%PDF-');
  });

  it('says with 400 what is wrong, as the calculator does', async () => {
    const visitor = web.visitor();
    const wrong = 'peptideAmount=500&waterVolume=2&desiredDose=0.25';
    const message = 'Peptide amount must be between 0.1mg and 100mg';
    const page = await visitor.get(`/calculator/card?${wrong}`);
    expect(page.status).toBe(400);
    expect(screenOf(page.body).getByRole('alert').textContent).toBe(message);
    expect(screenOf(page.body).getByRole('link', { name: 'Back to the calculator' })).toBeDefined();
    const file = await visitor.get(`/calculator/card/file?${wrong}`);
    expect([file.status, file.body]).toEqual([400, `${message}\n`]);
    expect((await visitor.get('/calculator/card')).status).toBe(400);
  });

  it('is opened from the calculator without scripts', async () => {
    const { body } = await web.visitor().get(`/calculator?${RESULT}`);
    const button = screenOf(body).getByRole('button', { name: 'Dose card' });
    expect(button.getAttribute('formaction')).toBe('/calculator/card');
    expect(button.getAttribute('form')).toBe('calculator');
  });
});

describe('the card of a vial', () => {
  const today = new Date().toISOString().slice(0, 10);
  let client: WebClient & { email: string };
  let other: WebClient;
  const made = { ramped: '', blend: '', sealed: '' };

  beforeAll(async () => {
    [client, other] = await Promise.all([web.user({ trial: true }), web.user({ trial: true })]);
    await asSomeone(web.dataDir, client.email, async (ctx) => {
      const water = { waterMl: '2', reconstitutionDate: today };
      made.ramped = (await addVial(ctx, { name: 'Semaglutide', amountMg: '5', lot: 'L-7', ...water })).id;
      const components = [
        { name: 'BPC-157', amount: '5' },
        { name: 'TB-500', amount: '10' },
      ];
      const blend = await addVial(ctx, { name: 'Wolverine', components, ...water });
      made.blend = blend.id;
      made.sealed = (await addVial(ctx, { name: 'Ipamorelin', amountMg: '5' })).id;
      const plan = { frequency: { kind: 'daily' }, timeZone: 'UTC', startDate: today } as const;
      await createSchedule(ctx, {
        ...{ ...plan, name: 'Semaglutide', doseAmount: '0.25', doseUnit: 'mg', times: [laterToday()] },
        ramp: { start: '0.25', step: '0.25', everyWeeks: 4, target: '1' },
      });
      await createSchedule(ctx, {
        ...{ ...plan, name: 'Wolverine', doseAmount: '500', doseUnit: 'mcg', times: [laterToday()] },
        ...{ compoundId: blend.id, doseOf: 'TB-500' },
      });
    });
  });

  const pathOf = (id: string) => `/dashboard/vials/${id}/card`;

  it('has every dose of its ramp, its lot and its days', async () => {
    const { status, body } = await client.get(pathOf(made.ramped));
    expect(status).toBe(200);
    expect(rowsOf(body)).toEqual([
      '0.25 mg 10 units 0.1 ml exact',
      '0.5 mg 20 units 0.2 ml exact',
      '0.75 mg 30 units 0.3 ml exact',
      '1 mg 40 units 0.4 ml exact',
    ]);
    const text = visibleText(body);
    for (const fact of ['5 mg, 2.5 mg/ml', 'Reconstituted', 'Use by', 'Lot L-7', 'U-100 1 ml'])
      expect(text).toContain(fact);
    const image = screenOf(body).getByRole('img', { name: 'U-100 1 ml syringe filled to 10 units' });
    expect(image).toBeDefined();
  });

  it('of a blend has every component in the draw', async () => {
    const { body } = await client.get(pathOf(made.blend));
    expect(rowsOf(body)).toEqual(['500 mcg TB-500 + BPC-157 250 mcg 10 units 0.1 ml exact']);
  });

  it('without a dose and a concentration says so', async () => {
    const { status, body } = await client.get(pathOf(made.sealed));
    expect(status).toBe(200);
    expect(rowsOf(body)).toEqual([]);
    expect(visibleText(body)).toContain('No dose of this vial is planned or logged yet.');
  });

  it('is a PDF file with format=pdf', async () => {
    const { location } = await client.get(`${pathOf(made.ramped)}?format=pdf`);
    const file = await client.get(location ?? '');
    expect([file.status, file.headers['content-type']]).toEqual([200, 'application/pdf']);
  });

  it('is linked from its page, and nobody else’s', async () => {
    const { body } = await client.get(`/dashboard/vials/${made.ramped}`);
    const link = screenOf(body).getByRole('link', { name: 'Dose card' });
    expect(link.getAttribute('href')).toBe(pathOf(made.ramped));
    for (const at of ['', '/file']) expect((await other.get(pathOf(made.ramped) + at)).status).toBe(404);
  });
});
