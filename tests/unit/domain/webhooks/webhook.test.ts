import { expect, it } from 'vitest';
import { doseData, takenDoseData, webhookBody } from '#app/domain/webhooks/webhook.ts';

const DOSE = {
  id: 'dose_1',
  scheduleId: null,
  name: 'Healing',
  doseAmount: '500',
  doseUnit: 'mcg' as const,
  dueDate: new Date('2026-11-23T08:00:00Z'),
  blend: {
    doseOf: 'TB-500',
    components: [
      { name: 'BPC-157', amount: '5' },
      { name: 'TB-500', amount: '10' },
    ],
  },
};
const dataOf = (data: ReturnType<typeof doseData>, isDiscreet: boolean) =>
  (
    JSON.parse(webhookBody({ id: 'evt_1', type: 'dose.due', at: DOSE.dueDate, data }, isDiscreet)) as {
      data: Record<string, unknown>;
    }
  ).data;

it('webhook data of a blend has each component’s amount, in the dose’s unit', () => {
  expect(dataOf(doseData(DOSE), false)).toMatchObject({
    doseAmount: 500,
    components: [
      { name: 'BPC-157', dose: 250 },
      { name: 'TB-500', dose: 500 },
    ],
  });
  const taken = { ...DOSE, takenAt: DOSE.dueDate, actualDose: '250' };
  expect(takenDoseData(taken).components).toEqual([
    { name: 'BPC-157', dose: 125 },
    { name: 'TB-500', dose: 250 },
  ]);
  expect(doseData({ ...DOSE, blend: null })).not.toHaveProperty('components');
});

it('webhook data of a blend names nothing in discreet mode', () => {
  const data = dataOf(doseData(DOSE), true);
  expect(data).toMatchObject({ name: null, doseAmount: null, doseUnit: null, components: null });
  expect(JSON.stringify(data)).not.toMatch(/BPC|TB-500|500/);
});
