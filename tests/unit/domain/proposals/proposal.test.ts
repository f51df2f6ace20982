import { describe, expect, it } from 'vitest';
import { changeLines, fieldLabel, proposalState, subjectText } from '#app/domain/proposals/proposal.ts';

const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour));

describe('the state of a proposal', () => {
  it('becomes expired with time if nobody answers', () => {
    const waiting = { state: 'waiting' as const, expiresAt: at(5), claimedUntil: null };
    expect([proposalState(waiting, at(4)), proposalState(waiting, at(5))]).toEqual(['waiting', 'expired']);
    const running = { state: 'accepting' as const, expiresAt: at(5), claimedUntil: at(3) };
    expect([proposalState(running, at(2)), proposalState(running, at(3))]).toEqual([
      'accepting',
      'interrupted',
    ]);
    expect(proposalState({ ...waiting, state: 'declined' }, at(6))).toBe('declined');
  });
});

describe('what a proposal would change', () => {
  const lines = (values: Record<string, unknown>, subject: Record<string, unknown> | null = null) =>
    changeLines(values, subject, 'Europe/Berlin').map(({ label, before, after }) => [label, before, after]);

  it('is shown as text before and after, without unchanged values', () => {
    expect(
      lines(
        { doseAmount: 2500, isActive: false, notes: 'same' },
        { doseAmount: 250, isActive: true, notes: 'same' },
      ),
    ).toEqual([
      ['Dose amount', '250', '2,500'],
      ['Is active', 'yes', 'no'],
    ]);
    expect(lines({ amount: 0.5, notes: null, lot: '' })).toEqual([
      ['Amount', null, '0.5'],
      ['Notes', null, 'none'],
      ['Lot', null, 'empty'],
    ]);
  });

  it('shows every amount with its unit, from the call, the record or the default', () => {
    const dose = { doseAmount: 250, doseUnit: 'mcg' };
    expect(lines({ actualDose: '500' }, dose)).toEqual([['Actual dose', null, '500 mcg']]);
    expect(lines({ actualDose: '0.5 mg' }, dose)).toEqual([['Actual dose', null, '0.5 mg']]);
    expect(lines({ doseAmount: 0.5, doseUnit: 'mg' }, dose)).toEqual([
      ['Dose amount', '250 mcg', '0.5 mg'],
      ['Dose unit', 'mcg', 'mg'],
    ]);
    expect(lines({ doseUnit: 'mg', doseAmount: 250 }, dose)).toContainEqual([
      'Dose amount',
      '250 mcg',
      '250 mg',
    ]);
    expect(lines({ ramp: { start: 250, step: 50 } }, dose)).toEqual([
      ['Ramp, start', null, '250 mcg'],
      ['Ramp, step', null, '50 mcg'],
    ]);
    expect(lines({ totalAmount: 5, concentration: 2.5, remainingAmount: null })).toEqual([
      ['Total amount', null, '5 mg'],
      ['Concentration', null, '2.5 mg/ml'],
      ['Remaining amount', null, 'none'],
    ]);
    const logged = changeLines({ actualDose: '0.25' }, null, 'UTC', { doseUnit: 'mg' });
    expect(logged).toEqual([{ label: 'Actual dose', before: null, after: '0.25 mg' }]);
  });

  it('names the parts of nested values', () => {
    expect(
      lines({
        frequency: { kind: 'weekdays', weekdays: ['mon', 'thu'] },
        components: [{ name: 'A', amount: 5 }],
      }),
    ).toEqual([
      ['Frequency, kind', null, 'weekdays'],
      ['Frequency, weekdays', null, 'mon, thu'],
      ['Components, 1, name', null, 'A'],
      ['Components, 1, amount', null, '5 mg'],
    ]);
  });

  it('shows instants in the reader’s time zone, and replaces invisible and direction-changing characters', () => {
    expect(lines({ takenAt: '2026-03-09T07:30:00.000Z', notes: 'a\u202Egm 5\u202C\nb\u0000' })).toEqual([
      ['Taken at', null, '9 Mar 2026, 08:30 CET'],
      ['Notes', null, 'a\uFFFDgm 5\uFFFD b\uFFFD'],
    ]);
  });

  it('names the record so that its owner recognises it', () => {
    expect(subjectText({ id: 'x', name: 'BPC-157', dueDate: '2026-03-09T07:30:00.000Z' }, 'UTC')).toBe(
      'BPC-157, due date 9 Mar 2026, 07:30 UTC',
    );
    expect([subjectText({ id: 'x' }, 'UTC'), subjectText(null, 'UTC')]).toEqual([null, null]);
    expect(fieldLabel('per7Days')).toBe('Per 7 days');
  });
});
