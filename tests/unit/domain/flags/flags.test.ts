import { describe, expect, it } from 'vitest';
import { FLAG_WORDS, flagStates, FLAGS } from '#app/domain/flags/flags.ts';

describe('feature flags', () => {
  it('are on by default, and unknown names are ignored', () => {
    expect(Object.values(flagStates([]))).toEqual(FLAGS.map(() => true));
    const states = flagStates([
      { name: 'import', isOn: false },
      { name: 'gone', isOn: false },
    ]);
    expect(states).toMatchObject({ import: false, registration: true });
    expect(states).not.toHaveProperty('gone');
  });

  it('all say what happens while they are off, and what users read', () => {
    for (const name of FLAGS) for (const text of Object.values(FLAG_WORDS[name])) expect(text).not.toBe('');
  });
});
