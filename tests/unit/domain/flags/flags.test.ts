import { describe, expect, it } from 'vitest';
import { FLAG_WORDS, flagStates, FLAGS } from '#app/domain/flags/flags.ts';

describe('switches', () => {
  it('are on until somebody says else, and what is no switch any more is nothing', () => {
    expect(Object.values(flagStates([]))).toEqual(FLAGS.map(() => true));
    const states = flagStates([
      { name: 'import', isOn: false },
      { name: 'gone', isOn: false },
    ]);
    expect(states).toMatchObject({ import: false, registration: true });
    expect(states).not.toHaveProperty('gone');
  });

  it('each say what happens and what a person reads', () => {
    for (const name of FLAGS) for (const text of Object.values(FLAG_WORDS[name])) expect(text).not.toBe('');
  });
});
