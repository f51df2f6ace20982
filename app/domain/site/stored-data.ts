/** What a collection holds about a person, for the privacy page and for telling what an incident touched. */
export interface StoredCollection {
  /** What it is, as the privacy page lists it. */
  kind: StoredKind;
  /** Fields about the person, in the page's words; several fields may share some. */
  fields: Readonly<Record<string, string>>;
  /** Keys, counters and marks of the program itself, which say nothing about the person. */
  technical: readonly string[];
  /** Fields that say when a document was made, used or changed. */
  touched: readonly string[];
}

/** One kind of data. */
interface KindOfData {
  title: string;
  /** How long it is kept, when nobody deletes it earlier. */
  kept: string;
  /** Data about health, which the law protects especially. */
  isHealth?: boolean;
}

const WITH_ACCOUNT = 'Until you delete it or your account.';

/** The kinds of data in the order of the privacy page. */
export const STORED_KINDS = {
  account: { title: 'Account and profile', kept: 'Until you delete your account.' },
  security: {
    title: 'Second factor, passkeys, API tokens and mailed links',
    kept: 'Links for minutes to days; the rest until you remove it or your account.',
  },
  sessions: {
    title: 'Sessions',
    kept: 'Until you sign out; at most 24 hours without use, or 30 days if you chose to stay signed in.',
  },
  calculations: {
    title: 'Saved calculations',
    kept: 'With Premium until you delete them; on the free plan until your session ends.',
    isHealth: true,
  },
  vials: { title: 'Vials and stock', kept: WITH_ACCOUNT, isHealth: true },
  schedules: { title: 'Schedules, templates and the calendar link', kept: WITH_ACCOUNT, isHealth: true },
  doses: { title: 'Doses', kept: WITH_ACCOUNT, isHealth: true },
  reminders: {
    title: 'Reminders and what was sent of them',
    kept: 'Reminders for 90 days, sent messages for about a week.',
    isHealth: true,
  },
  push: { title: 'Push addresses of your browsers', kept: 'Until you switch push off or sign out there.' },
  sites: { title: 'Injection sites', kept: WITH_ACCOUNT, isHealth: true },
  effects: { title: 'Side effects', kept: WITH_ACCOUNT, isHealth: true },
  pictures: { title: 'Pictures of side effects', kept: WITH_ACCOUNT, isHealth: true },
  nutrition: { title: 'Nutrition', kept: WITH_ACCOUNT, isHealth: true },
  measurements: { title: 'Health measurements', kept: WITH_ACCOUNT, isHealth: true },
  orders: { title: 'Vendors, products and orders', kept: WITH_ACCOUNT },
  papers: { title: 'Papers of orders', kept: WITH_ACCOUNT },
  reports: { title: 'Links to shared reports', kept: WITH_ACCOUNT, isHealth: true },
  imports: {
    title: 'Imported files',
    kept: 'For 24 hours before they are applied and 7 days afterwards, so that you can undo them.',
    isHealth: true,
  },
  referrals: { title: 'Referrals', kept: 'Until you delete your account.' },
  payments: {
    title: 'Payments',
    kept: 'The books of what was paid are kept as the law wants, under the id of the account alone; the rest goes with the account.',
  },
  repeated: { title: 'Repeated API calls', kept: 'For a day, so that a call sent twice does nothing twice.' },
  accessLog: {
    title: 'Access log',
    kept: 'For good, under the id of the account alone: who did what must stay provable.',
  },
  waitlist: {
    title: 'Interest in the demo',
    kept: 'Until you have had that one message, or ask us to delete it.',
  },
} as const satisfies Record<string, KindOfData>;

export type StoredKind = keyof typeof STORED_KINDS;

const about = (
  kind: StoredKind,
  fields: Readonly<Record<string, string>>,
  technical: string,
  touched: string,
): StoredCollection => ({
  kind,
  fields,
  technical: technical.split(' '),
  touched: touched === '' ? [] : touched.split(' '),
});

const COMPOUND = { name: 'compound', compoundId: 'which vial' };
const NOTES = { notes: 'your notes' };
const DAY = { date: 'day' };
const FILE = { data: 'the file itself' };

/**
 * Every collection with something about a person. A test compares it with the database: a collection or a field that
 * is not here fails.
 */
export const STORED_DATA: Readonly<Record<string, StoredCollection>> = {
  users: about(
    'account',
    {
      email: 'e-mail address',
      emailDomain: 'e-mail address',
      passwordHash: 'a hash of your password that cannot be turned back into it',
      knownAddresses: 'keyed hashes of the last ten network addresses you signed in from',
      role: 'role',
      name: 'name',
      timeZone: 'time zone',
      doseUnit: 'units',
      syringe: 'your syringe',
      units: 'units',
      createdAt: 'when you registered',
      lastLogin: 'when you last signed in',
      lastSeenAt: 'when you were last here',
      suspendedAt: 'whether the account is suspended',
      trialStartedAt: 'plan and trial',
      trialEndsAt: 'plan and trial',
      creditUntil: 'credit and grants',
      creditGrants: 'credit and grants',
      grantedAt: 'credit and grants',
      billingStatus: 'state of the subscription',
      pastDueSince: 'state of the subscription',
      stripeCustomerId: 'your id at the payment provider',
      referredByCode: 'whose link you came by',
      referralCode: 'your own link',
      emailConfirmedAt: 'when you confirmed your address',
      termsAcceptedAt: 'when you accepted the terms',
      secondFactorAt: 'whether you use a second factor',
      deleteAfter: 'whether a deletion is under way',
    },
    '_id credentialRevision creditRevision billingVersion deletionClaimedUntil adminRevision',
    'createdAt lastLogin lastSeenAt emailConfirmedAt',
  ),
  addresses: about('account', { _id: 'e-mail address' }, 'userId', ''),
  role_holders: about('account', { userIds: 'who is a super administrator' }, '_id', ''),
  notification_choices: about(
    'account',
    {
      inPage: 'what you want to be notified of, and how',
      push: 'what you want to be notified of, and how',
      email: 'what you want to be notified of, and how',
      discreet: 'what you want to be notified of, and how',
      repeatOverdue: 'what you want to be notified of, and how',
      missedAfterHours: 'what you want to be notified of, and how',
      leadDefault: 'what you want to be notified of, and how',
      lowStock: 'what you want to be notified of, and how',
      vialExpiry: 'what you want to be notified of, and how',
    },
    '_id userId',
    '',
  ),
  announcement_dismissals: about(
    'account',
    { announcementId: 'which announcements you closed', at: 'which announcements you closed' },
    '_id userId',
    'at',
  ),
  row_counts: about('account', { count: 'how many records you have' }, '_id userId recountAfter', ''),
  second_factors: about(
    'security',
    {
      secret: 'the secret of your second factor, encrypted',
      recoveryHashes: 'hashes of your recovery codes',
      createdAt: 'when you set it up',
      confirmedAt: 'when you set it up',
    },
    '_id userId lastStep',
    'createdAt confirmedAt',
  ),
  passkeys: about(
    'security',
    {
      name: 'names of your passkeys',
      publicKey: 'their public keys, which open nothing',
      credentialId: 'their public keys, which open nothing',
      createdAt: 'when they were made and last used',
      lastUsedAt: 'when they were made and last used',
      isSynced: 'whether they are on several devices',
    },
    '_id userId place counter transports',
    'createdAt lastUsedAt',
  ),
  api_tokens: about(
    'security',
    {
      name: 'names of your API tokens',
      scope: 'what they may do',
      createdAt: 'when they were made and last used',
      lastUsedAt: 'when they were made and last used',
    },
    '_id userId tokenId place expiresAt',
    'createdAt lastUsedAt',
  ),
  one_time_secrets: about(
    'security',
    {
      purpose: 'hashes of links that were mailed to you, and what they are for',
      facts: 'a new e-mail address until you confirm it',
      createdAt: 'when they were sent',
    },
    '_id userId expiresAt failures',
    'createdAt',
  ),
  sessions: about(
    'sessions',
    {
      createdAt: 'when you signed in and were last active',
      lastUsedAt: 'when you signed in and were last active',
      authenticatedAt: 'when you signed in and were last active',
      endedAt: 'when it ended',
      remember: 'whether you stay signed in',
      address: 'network address',
      userAgent: 'browser',
    },
    '_id userId signInId expiresAt endsAt',
    'createdAt lastUsedAt authenticatedAt endedAt',
  ),
  calculations: about(
    'calculations',
    {
      createdAt: 'when',
      type: 'kind',
      input: 'what you entered',
      peptideName: 'compound',
      concentration: 'the result',
      injectionVolume: 'the result',
      ...NOTES,
    },
    '_id userId shelf saveKey nameKey importId',
    'createdAt',
  ),
  calculation_counters: about(
    'calculations',
    { total: 'how many there are of each compound', names: 'how many there are of each compound' },
    '_id userId shelf revision countedRevision changedAt concentrationWhole concentrationNano',
    '',
  ),
  compounds: about(
    'vials',
    {
      name: 'compound',
      status: 'state',
      totalAmount: 'amounts and concentration',
      remaining: 'amounts and concentration',
      remainingMg: 'amounts and concentration',
      waterMl: 'amounts and concentration',
      concentration: 'amounts and concentration',
      displacement: 'amounts and concentration',
      reconstitutionDate: 'dates',
      expirationDate: 'dates',
      lastDay: 'dates',
      openedAt: 'dates',
      createdAt: 'dates',
      storageTemp: 'storage',
      lot: 'lot',
      supplierId: 'vendor',
      cost: 'what it cost',
      currency: 'what it cost',
      ledger: 'every change of its amount, with its reason',
      ...NOTES,
    },
    '_id userId slot version nameKey share foldedCount foldedMg importId',
    'createdAt openedAt',
  ),
  dose_ceilings: about(
    'doses',
    {
      name: 'ceilings you set',
      unit: 'ceilings you set',
      perDose: 'ceilings you set',
      perDay: 'ceilings you set',
      per7Days: 'ceilings you set',
    },
    '_id userId nameKey',
    '',
  ),
  half_lives: about(
    'vials',
    {
      nameKey: 'half-lives you entered',
      hours: 'half-lives you entered',
      peakHours: 'half-lives you entered',
      source: 'half-lives you entered',
    },
    '_id userId',
    '',
  ),
  schedules: about(
    'schedules',
    {
      ...COMPOUND,
      doseAmount: 'dose and route',
      doseUnit: 'dose and route',
      route: 'dose and route',
      frequency: 'when it is due',
      times: 'when it is due',
      firstDueAt: 'when it is due',
      resumedAt: 'when you made and changed it',
      timeZone: 'when it is due',
      startDate: 'when it is due',
      endDate: 'when it is due',
      ramp: 'when it is due',
      course: 'when it is due',
      nextDoseDate: 'when it is due',
      lastDoseDate: 'when you last took it',
      lastDoseBefore: 'when you last took it',
      reminderLeadMinutes: 'reminders',
      isActive: 'whether it runs',
      createdAt: 'when you made and changed it',
      updatedAt: 'when you made and changed it',
      ...NOTES,
    },
    '_id userId importId revision madeUntil claimedUntil keptIn',
    'createdAt updatedAt',
  ),
  schedule_templates: about(
    'schedules',
    { title: 'your own templates', facts: 'your own templates', createdAt: 'when you made and changed it' },
    '_id userId',
    'createdAt',
  ),
  calendar_feeds: about(
    'schedules',
    { privacy: 'how much the calendar link shows', createdAt: 'when you made and changed it' },
    '_id userId',
    'createdAt',
  ),
  doses: about(
    'doses',
    {
      ...COMPOUND,
      scheduleId: 'which schedule',
      localDay: 'when it is due',
      wallTime: 'when it is due',
      timeZone: 'when it is due',
      dueDate: 'when it is due',
      doseAmount: 'dose and route',
      doseUnit: 'dose and route',
      actualDose: 'dose and route',
      route: 'dose and route',
      syringe: 'syringe',
      status: 'taken, skipped or missed',
      takenAt: 'when you took it',
      offTime: 'when you took it',
      chain: 'when it is due',
      site: 'injection site',
      draws: 'what was drawn from which vial',
      before: 'what it was before you changed it',
      actedAt: 'when you logged it',
      ...NOTES,
    },
    '_id userId scheduleRevision round stockDone remindAt remindStage remindCount remindClaim remindClaimedUntil nameKey undoing missAt version importId',
    'actedAt',
  ),
  reminders: about(
    'reminders',
    {
      doseId: 'which dose',
      type: 'kind',
      message: 'the text, which may name a compound and an amount',
      discreetMessage: 'the text, which may name a compound and an amount',
      reminderTime: 'when it was shown and read',
      isRead: 'when it was shown and read',
      isSent: 'when it was shown and read',
      isQuiet: 'when it was shown and read',
      shownAt: 'when it was shown and read',
    },
    '_id userId expiresAt',
    'shownAt',
  ),
  deliveries: about(
    'reminders',
    {
      doseId: 'which dose',
      channel: 'by mail or push, and whether it arrived',
      type: 'kind',
      message: 'the text, which may name a compound and an amount',
      isDiscreet: 'the text, which may name a compound and an amount',
      madeAt: 'when it was sent',
      state: 'by mail or push, and whether it arrived',
      sentAt: 'when it was sent',
      reason: 'by mail or push, and whether it arrived',
    },
    '_id userId reminderId subscriptionId nextAt claim attempts expiresAt',
    'madeAt sentAt',
  ),
  push_subscriptions: about(
    'push',
    {
      endpoint: 'the address at the push service of your browser’s maker',
      p256dh: 'the keys that messages to it are encrypted with',
      auth: 'the keys that messages to it are encrypted with',
      browser: 'browser',
      createdAt: 'when you switched it on',
    },
    '_id userId signInId',
    'createdAt',
  ),
  injection_sites: about(
    'sites',
    {
      site: 'site',
      takenAt: 'when',
      ...COMPOUND,
      dose: 'dose and volume',
      doseUnit: 'dose and volume',
      volume: 'dose and volume',
      pain: 'pain',
      doseId: 'which dose',
      createdAt: 'when you logged it',
      ...NOTES,
    },
    '_id userId importId edits',
    'createdAt',
  ),
  tracking_choices: about(
    'sites',
    {
      sitesOff: 'sites you do not use',
      templates: 'your own side effects and measures',
      metrics: 'your own side effects and measures',
    },
    '_id userId',
    '',
  ),
  side_effects: about(
    'effects',
    {
      name: 'what',
      severity: 'how severe',
      startedAt: 'from when to when',
      resolvedDate: 'from when to when',
      resolvedAt: 'from when to when',
      compoundId: 'which vial',
      doseId: 'which dose',
      images: 'pictures',
      createdAt: 'when you logged and changed it',
      updatedAt: 'when you logged and changed it',
      ...NOTES,
    },
    '_id userId importId edits',
    'createdAt updatedAt',
  ),
  'pictures.files': about(
    'pictures',
    {
      length: 'size',
      uploadDate: 'when you added it',
      filename: 'name of the file',
      metadata: 'which side effect it belongs to',
    },
    '_id userId chunkSize',
    'uploadDate',
  ),
  'pictures.chunks': about(
    'pictures',
    { data: 'the picture itself, without place and camera' },
    '_id userId files_id n',
    '',
  ),
  picture_room: about('pictures', { count: 'size', bytes: 'size' }, '_id userId', ''),
  nutrition: about(
    'nutrition',
    {
      ...DAY,
      calories: 'calories, protein, carbs, fat and water',
      protein: 'calories, protein, carbs, fat and water',
      carbs: 'calories, protein, carbs, fat and water',
      fat: 'calories, protein, carbs, fat and water',
      water: 'calories, protein, carbs, fat and water',
      createdAt: 'when you entered it',
      ...NOTES,
    },
    '_id userId importId edits',
    'createdAt',
  ),
  measurements: about(
    'measurements',
    {
      metric: 'what you measured, such as weight, blood pressure or mood',
      measuredAt: 'when',
      value: 'the value',
      text: 'the value',
      unit: 'the value',
      createdAt: 'when you entered it',
      ...NOTES,
    },
    '_id userId',
    'createdAt',
  ),
  suppliers: about(
    'orders',
    {
      name: 'vendors, their sites and contacts, your rating',
      site: 'vendors, their sites and contacts, your rating',
      contact: 'vendors, their sites and contacts, your rating',
      rating: 'vendors, their sites and contacts, your rating',
      createdAt: 'when you entered it',
      ...NOTES,
    },
    '_id userId nameKey',
    'createdAt',
  ),
  products: about(
    'orders',
    {
      supplierId: 'vendors, their sites and contacts, your rating',
      name: 'products and prices',
      form: 'products and prices',
      mgPerVial: 'products and prices',
      price: 'products and prices',
      currency: 'products and prices',
      pricedAt: 'products and prices',
      createdAt: 'when you entered it',
    },
    '_id userId nameKey',
    'createdAt pricedAt',
  ),
  orders: about(
    'orders',
    {
      supplierId: 'vendors, their sites and contacts, your rating',
      supplierName: 'vendors, their sites and contacts, your rating',
      state: 'what you ordered, for how much, and where it stands',
      currency: 'what you ordered, for how much, and where it stands',
      lines: 'what you ordered, for how much, and where it stands',
      steps: 'what you ordered, for how much, and where it stands',
      papers: 'papers',
      vialsMade: 'what you ordered, for how much, and where it stands',
      createdAt: 'when you entered it',
      ...NOTES,
    },
    '_id userId',
    'createdAt',
  ),
  'papers.files': about(
    'papers',
    {
      length: 'size',
      uploadDate: 'when you added it',
      filename: 'name of the file',
      metadata: 'which order it belongs to',
    },
    '_id userId chunkSize',
    'uploadDate',
  ),
  'papers.chunks': about('papers', FILE, '_id userId files_id n', ''),
  paper_room: about('papers', { count: 'size', bytes: 'size' }, '_id userId', ''),
  report_shares: about(
    'reports',
    {
      label: 'what the link is for',
      start: 'which period and compound it shows, and whether your notes',
      end: 'which period and compound it shows, and whether your notes',
      compound: 'which period and compound it shows, and whether your notes',
      notes: 'which period and compound it shows, and whether your notes',
      createdAt: 'when it was made and ends',
      expiresAt: 'when it was made and ends',
      revokedAt: 'when it was made and ends',
      viewCount: 'when and from which network address it was opened',
      views: 'when and from which network address it was opened',
    },
    '_id userId shareId place',
    'createdAt revokedAt views.at',
  ),
  imports: about(
    'imports',
    {
      fileName: 'name of the file',
      state: 'what was taken from it',
      rows: 'what was taken from it',
      fresh: 'what was taken from it',
      added: 'what was taken from it',
      kept: 'what was taken from it',
      bad: 'rows that were wrong',
      badCount: 'rows that were wrong',
      unusual: 'rows with unusual amounts',
      unusualCount: 'rows with unusual amounts',
      createdAt: 'when',
      doneAt: 'when',
    },
    '_id userId signInId pieces dueAt',
    'createdAt doneAt',
  ),
  import_pieces: about('imports', { text: 'the records of the file' }, '_id userId importId', ''),
  referral_codes: about('referrals', { _id: 'your own link' }, 'userId', ''),
  referrals: about(
    'referrals',
    {
      code: 'whose link you came by',
      standing: 'whether the days were credited, and when',
      createdAt: 'whether the days were credited, and when',
      creditedAt: 'whether the days were credited, and when',
      reversedAt: 'whether the days were credited, and when',
    },
    '_id userId grantId isSettled',
    'createdAt creditedAt reversedAt',
  ),
  billing: about(
    'payments',
    { state: 'state of the subscription', toCancelSince: 'state of the subscription' },
    '_id userId version',
    'toCancelSince',
  ),
  billing_events: about(
    'payments',
    {
      type: 'what the payment provider told us, and when',
      at: 'what the payment provider told us, and when',
    },
    '_id userId expiresAt',
    'at',
  ),
  subscription_events: about(
    'payments',
    {
      eventType: 'what was paid, and when',
      amountCents: 'what was paid, and when',
      status: 'what was paid, and when',
      createdAt: 'what was paid, and when',
      details: 'what was paid, and when',
    },
    '_id userId',
    'createdAt',
  ),
  billing_issues: about(
    'payments',
    {
      type: 'failed payments, disputes and refunds, and what was done about them',
      amountCents: 'failed payments, disputes and refunds, and what was done about them',
      description: 'failed payments, disputes and refunds, and what was done about them',
      status: 'failed payments, disputes and refunds, and what was done about them',
      openedAt: 'failed payments, disputes and refunds, and what was done about them',
      resolvedAt: 'failed payments, disputes and refunds, and what was done about them',
    },
    '_id userId issueId version',
    'openedAt resolvedAt',
  ),
  renewal_shifts: about(
    'payments',
    { days: 'renewals that were moved by credit', until: 'renewals that were moved by credit' },
    '_id userId shiftId subscriptionId triedAt doneAt',
    'triedAt doneAt',
  ),
  stripe_customers: about('payments', { _id: 'your id at the payment provider' }, 'userId', ''),
  idempotent_calls: about(
    'repeated',
    { answer: 'the answer to the call', fingerprint: 'a hash of what was sent' },
    '_id userId claimedUntil expiresAt',
    '',
  ),
  audit: about(
    'accessLog',
    {
      at: 'when',
      actor: 'who',
      action: 'what was done',
      subjectId: 'to which account',
      before: 'what it changed, never health data or names of compounds',
      after: 'what it changed, never health data or names of compounds',
      reason: 'why',
      from: 'from which network address',
    },
    '_id',
    'at',
  ),
  demo_interest: about('waitlist', { _id: 'e-mail address', createdAt: 'when you left it' }, '', 'createdAt'),
};

/** One line of the privacy page: a kind of data, what is stored of it, and for how long. */
export interface StoredLine {
  title: string;
  what: string;
  kept: string;
  isHealth: boolean;
}

/** What is stored about a person, by kind, in the page's order. */
export function storedLines(): StoredLine[] {
  return Object.entries(STORED_KINDS).map(
    ([kind, { title, kept, isHealth = false }]: [string, KindOfData]) => {
      const words = Object.values(STORED_DATA)
        .filter((collection) => collection.kind === kind)
        .flatMap(({ fields }) => Object.values(fields));
      const what = [...new Set(words)].join(', ');
      return {
        title,
        what: `${what.charAt(0).toUpperCase()}${what.slice(1)}.`,
        kept,
        isHealth,
      };
    },
  );
}
