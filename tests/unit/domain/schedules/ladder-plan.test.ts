import { describe, expect, it } from 'vitest';
import { rampOfDoses } from '#app/domain/schedules/ladder-plan.ts';

describe('the ramp of several doses', () => {
  it.each([
    [['2.5', '5', '7.5', '10'], { start: '2.5', step: '2.5', everyWeeks: 4, target: '10' }],
    [['15', '10', '5'], { start: '15', step: '-5', everyWeeks: 4, target: '5' }],
    // The last change may be smaller.
    [['0.25', '0.5', '0.6'], { start: '0.25', step: '0.25', everyWeeks: 4, target: '0.6' }],
    [['1', '2.0'], { start: '1', step: '1', everyWeeks: 4, target: '2.0' }],
  ])('%j', (doses, ramp) => {
    expect(rampOfDoses(doses, 4)).toEqual({ doseAmount: doses[0], ramp });
  });

  it('of one dose is none', () => {
    expect(rampOfDoses(['2.5'], 4)).toEqual({ doseAmount: '2.5', ramp: null });
  });

  it.each([
    [['2.5', '5', '10']],
    [['1', '1']],
    [['1', '2', '1']],
    [['1', '2', '2']],
    [['1', '2', '2.5', '3']],
  ])('does not exist for %j', (doses) => {
    expect(rampOfDoses(doses, 4)).toBeNull();
  });
});
