/** What an administrator can switch off and on again while the server runs. Everything is on by default. */
export const FLAGS = ['registration', 'trials', 'import', 'remote-catalogues', 'demo'] as const;

export type FlagName = (typeof FLAGS)[number];

interface FlagWords {
  label: string;
  /** Tells the administrator what happens while it is off. */
  whenOff: string;
  /** Shown to users who try to use it while it is off. */
  refusal: string;
}

/** The texts of each flag. */
export const FLAG_WORDS: Readonly<Record<FlagName, FlagWords>> = {
  registration: {
    label: 'Registration',
    whenOff: 'Nobody can create an account, on the site or through the API. Signing in still works.',
    refusal: 'Registration is closed at the moment. Please try again later.',
  },
  trials: {
    label: 'Free trials',
    whenOff: 'No new trials start; running trials continue. New accounts start on the free plan.',
    refusal: 'Free trials are not available at the moment. Please try again later.',
  },
  import: {
    label: 'Import',
    whenOff: 'Nobody can import files, on the site or through the API. Past imports can still be undone.',
    refusal: 'Import is switched off at the moment. Please try again later.',
  },
  'remote-catalogues': {
    label: 'Catalogues from an address',
    whenOff: 'This server fetches no supplier catalogues from other sites. Pasting one still works.',
    refusal: 'Catalogues cannot be loaded from an address at the moment. Paste the catalogue instead.',
  },
  demo: {
    label: 'Demo',
    whenOff: 'Nobody can start a demo; the landing page says it is coming soon. Running demos continue.',
    refusal: 'The demo is switched off at the moment. Please try again later.',
  },
};

/** The state of all flags: as stored, on by default. Names that are no longer flags are left out. */
export function flagStates(stored: readonly { name: string; isOn: boolean }[]): Record<FlagName, boolean> {
  const known = new Map(stored.map(({ name, isOn }) => [name, isOn]));
  return Object.fromEntries(FLAGS.map((name) => [name, known.get(name) ?? true])) as Record<
    FlagName,
    boolean
  >;
}
