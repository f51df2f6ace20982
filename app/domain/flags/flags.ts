/** What an administrator can switch off and on again while the server runs. Everything is on until somebody says else. */
export const FLAGS = ['registration', 'trials', 'import', 'remote-catalogues', 'demo'] as const;

export type FlagName = (typeof FLAGS)[number];

interface FlagWords {
  label: string;
  /** What happens while it is off, for the administrator. */
  whenOff: string;
  /** What somebody reads who wants to use it then. */
  refusal: string;
}

/** What each flag is called and does. */
export const FLAG_WORDS: Readonly<Record<FlagName, FlagWords>> = {
  registration: {
    label: 'Registration',
    whenOff: 'Nobody can make an account, in the pages or through the API. Signing in works as before.',
    refusal: 'Registration is closed at the moment. Please try again later.',
  },
  trials: {
    label: 'Free trials',
    whenOff: 'No new trial starts; trials that run go on. New accounts begin on the free plan.',
    refusal: 'No new trials are started at the moment. Please try again later.',
  },
  import: {
    label: 'Import',
    whenOff: 'Files are not taken in, in the pages or through the API. Imports that were done can be undone.',
    refusal: 'Import is switched off at the moment. Please try again later.',
  },
  'remote-catalogues': {
    label: 'Catalogues from an address',
    whenOff: 'This server fetches no supplier catalogue from other sites. Pasted ones work.',
    refusal: 'Catalogues are not fetched from addresses at the moment. Paste the catalogue instead.',
  },
  demo: {
    label: 'Demo',
    whenOff: 'Nobody can begin a demo; the landing page says that it is coming soon. Demos that run go on.',
    refusal: 'The demo is switched off at the moment. Please try again later.',
  },
};

/** The state of all flags: what is stored, on for the rest. Names that are no flag any more are left out. */
export function flagStates(stored: readonly { name: string; isOn: boolean }[]): Record<FlagName, boolean> {
  const known = new Map(stored.map(({ name, isOn }) => [name, isOn]));
  return Object.fromEntries(FLAGS.map((name) => [name, known.get(name) ?? true])) as Record<
    FlagName,
    boolean
  >;
}
