/** What a collection stores about a person, for the privacy page and for breach reports. */
export interface StoredCollection {
  /** Its heading on the privacy page. */
  kind: StoredKind;
  /** Fields about the person, as the privacy page words them; several fields may share a text. */
  fields: Readonly<Record<string, string>>;
  /** Internal keys, counters and flags, which say nothing about the person. */
  technical: readonly string[];
  /** Fields that say when a document was made, used or changed. */
  touched: readonly string[];
}

/** What only a server that sells plans stores. */
const SOLD_KINDS: readonly string[] = ['referrals', 'payments'];
const SOLD_WORDS: readonly string[] = [
  'plan and trial',
  'credit and grants',
  'status of the subscription',
  'your id at the payment provider',
  'whose link you came through',
  'your own link',
];

interface KindOfData {
  title: string;
  /** How long it is kept unless it is deleted earlier. */
  kept: string;
  /** The same on a server without plans, if it differs. */
  keptByAll?: string;
  /** Health data, which the law protects in particular. */
  isHealth?: boolean;
}

const WITH_ACCOUNT = 'Until you delete it or your account.';

/** The kinds of data in the order of the privacy page. */
export const STORED_KINDS = {
  account: { title: 'Account and profile', kept: 'Until you delete your account.' },
  security: {
    title: 'Two-step sign-in, passkeys, linked services, API tokens and mailed links',
    kept: 'Links for minutes to days; the rest until you delete it or your account.',
  },
  sessions: {
    title: 'Sessions',
    kept: 'Until you sign out; at most 24 hours without use, or 30 days if you chose to stay signed in.',
  },
  calculations: {
    title: 'Saved calculations',
    kept: 'With Premium until you delete them; on the free plan until your session ends.',
    keptByAll: 'Until you delete them.',
    isHealth: true,
  },
  vials: { title: 'Vials and stock', kept: WITH_ACCOUNT, isHealth: true },
  schedules: { title: 'Schedules, templates and the calendar link', kept: WITH_ACCOUNT, isHealth: true },
  doses: { title: 'Doses', kept: WITH_ACCOUNT, isHealth: true },
  reminders: {
    title: 'Reminders and the messages sent for them',
    kept: 'Reminders for 90 days, sent messages for about a week.',
    isHealth: true,
  },
  webhooks: {
    title: 'Webhooks and the messages sent to them',
    kept: 'Addresses until you delete them, messages for 30 to 90 days.',
    isHealth: true,
  },
  push: {
    title: 'Push addresses of your browsers, and your ntfy topic',
    kept: 'Until you switch push off or sign out there, or remove the topic.',
  },
  sites: { title: 'Injection sites', kept: WITH_ACCOUNT, isHealth: true },
  effects: { title: 'Side effects', kept: WITH_ACCOUNT, isHealth: true },
  pictures: { title: 'Pictures of side effects', kept: WITH_ACCOUNT, isHealth: true },
  nutrition: { title: 'Nutrition', kept: WITH_ACCOUNT, isHealth: true },
  measurements: { title: 'Health measurements', kept: WITH_ACCOUNT, isHealth: true },
  orders: { title: 'Vendors, products and orders', kept: WITH_ACCOUNT },
  papers: { title: 'Papers of orders and lots', kept: WITH_ACCOUNT },
  reports: { title: 'Links to shared reports', kept: WITH_ACCOUNT, isHealth: true },
  proposals: {
    title: 'Changes that programs propose to you',
    kept: 'For 30 days after they were proposed.',
    isHealth: true,
  },
  imports: {
    title: 'Imported files',
    kept: 'For 24 hours before they are applied and 7 days afterwards, so that you can undo them.',
    isHealth: true,
  },
  referrals: { title: 'Referrals', kept: 'Until you delete your account.' },
  payments: {
    title: 'Payments',
    kept: 'Payment records are kept as long as the law requires, under the account’s id alone; the rest is deleted with the account.',
  },
  repeated: {
    title: 'Repeated API calls',
    kept: 'For a day, so that a repeated call takes effect only once.',
  },
  accessLog: {
    title: 'Access log',
    kept: 'Permanently, under the account’s id alone, as proof of who did what.',
  },
  waitlist: {
    title: 'Interest in the demo',
    kept: 'Until we have sent you that one message, or you ask us to delete it.',
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
 * Every collection that stores something about a person. A test fails if the database has a collection or field that is
 * missing here.
 */
export const STORED_DATA: Readonly<Record<string, StoredCollection>> = {
  users: about(
    'account',
    {
      email: 'email address',
      emailDomain: 'email address',
      passwordHash: 'a hash of your password, which does not reveal it',
      knownAddresses: 'keyed hashes of the last ten network addresses you signed in from',
      role: 'role',
      name: 'name',
      timeZone: 'time zone',
      doseUnit: 'units',
      syringe: 'your syringe',
      syringes: 'your syringe',
      deadSpaceMl: 'your syringe',
      units: 'units',
      createdAt: 'when you registered',
      lastLogin: 'when you last signed in',
      lastSeenAt: 'when you were last active',
      suspendedAt: 'whether the account is suspended',
      trialStartedAt: 'plan and trial',
      trialEndsAt: 'plan and trial',
      creditUntil: 'credit and grants',
      creditGrants: 'credit and grants',
      grantedAt: 'credit and grants',
      billingStatus: 'status of the subscription',
      pastDueSince: 'status of the subscription',
      stripeCustomerId: 'your id at the payment provider',
      referredByCode: 'whose link you came through',
      referralCode: 'your own link',
      emailConfirmedAt: 'when you confirmed your address',
      termsAcceptedAt: 'when you accepted the terms',
      secondFactorAt: 'whether you use two-step sign-in',
      skippedSteps: 'the first steps you skipped',
      deleteAfter: 'when it will be deleted, if you asked for that',
    },
    '_id credentialRevision signIns deletionClaimedUntil adminRevision',
    'createdAt lastLogin lastSeenAt emailConfirmedAt',
  ),
  addresses: about('account', { _id: 'email address' }, 'userId', ''),
  role_holders: about('account', { userIds: 'who is a super administrator' }, '_id', ''),
  notification_choices: about(
    'account',
    {
      inPage: 'what you want to be notified of, and how',
      push: 'what you want to be notified of, and how',
      email: 'what you want to be notified of, and how',
      ntfy: 'what you want to be notified of, and how',
      discreet: 'what you want to be notified of, and how',
      repeatOverdue: 'what you want to be notified of, and how',
      missedAfterHours: 'what you want to be notified of, and how',
      leadDefault: 'what you want to be notified of, and how',
      lowStock: 'what you want to be notified of, and how',
      vialExpiry: 'what you want to be notified of, and how',
      escalateAfterMinutes: 'what you want to be notified of, and how',
      quietFrom: 'when nothing is sent',
      quietTo: 'when nothing is sent',
      mutedUntil: 'when nothing is sent',
      urgentOverdue: 'what you want to be notified of, and how',
    },
    '_id userId',
    '',
  ),
  announcement_dismissals: about(
    'account',
    { announcementId: 'which announcements you dismissed', at: 'which announcements you dismissed' },
    '_id userId',
    'at',
  ),
  row_counts: about('account', { count: 'how many records you have' }, '_id userId recountAfter', ''),
  second_factors: about(
    'security',
    {
      secret: 'the encrypted secret of your authenticator app',
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
      publicKey: 'their public keys, which cannot be used to sign in',
      credentialId: 'their public keys, which cannot be used to sign in',
      createdAt: 'when they were created and last used',
      lastUsedAt: 'when they were created and last used',
      isSynced: 'whether they are on several devices',
    },
    '_id userId place counter transports',
    'createdAt lastUsedAt',
  ),
  identities: about(
    'security',
    {
      issuer: 'the services that you sign in with, and who you are there',
      subject: 'the services that you sign in with, and who you are there',
      email: 'the services that you sign in with, and who you are there',
      createdAt: 'when you linked and last used them',
      lastUsedAt: 'when you linked and last used them',
    },
    '_id userId place',
    'createdAt lastUsedAt',
  ),
  api_tokens: about(
    'security',
    {
      name: 'names of your API tokens and of the assistants you connected',
      scope: 'what they may do',
      createdAt: 'when they were created and last used',
      lastUsedAt: 'when they were created and last used',
    },
    '_id userId tokenId place expiresAt connection',
    'createdAt lastUsedAt',
  ),
  one_time_secrets: about(
    'security',
    {
      purpose: 'hashes of links mailed to you, and what they are for',
      facts:
        'a new email address until you confirm it, and who you are at another service until your account is created',
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
    { total: 'how many there are per compound', names: 'how many there are per compound' },
    '_id userId shelf revision countedRevision concentrations concentrationWhole concentrationNano',
    '',
  ),
  compounds: about(
    'vials',
    {
      name: 'compound',
      status: 'status',
      form: 'what it is: powder, pen or another form',
      clickMl: 'what it is: powder, pen or another form',
      sprayMl: 'what it is: powder, pen or another form',
      pieces: 'what it is: powder, pen or another form',
      amountUnit: 'amounts and concentration',
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
      lotId: 'lot',
      supplierId: 'vendor',
      cost: 'what it cost',
      currency: 'what it cost',
      components: 'what a blend contains',
      ledger: 'every change of its amount, with the reason',
      ...NOTES,
    },
    '_id userId slot version nameKey share foldedCount foldedMg importId',
    'createdAt openedAt',
  ),
  lots: about(
    'vials',
    {
      number: 'lots with number, compound and vendor',
      product: 'lots with number, compound and vendor',
      supplierId: 'lots with number, compound and vendor',
      supplierName: 'lots with number, compound and vendor',
      orderId: 'lots with number, compound and vendor',
      expirationDate: 'dates',
      createdAt: 'dates',
      purityPercent: 'what their certificates say',
      netContentMg: 'what their certificates say',
      identityMethod: 'what their certificates say',
      laboratory: 'what their certificates say',
      testedOn: 'what their certificates say',
      reportKey: 'what their certificates say',
      reportUrl: 'what their certificates say',
      papers: 'their documents',
      formerVials: 'their deleted vials',
      ...NOTES,
    },
    '_id userId numberKey productKey supplierKey importId edits',
    'createdAt',
  ),
  supplies: about(
    'vials',
    {
      kind: 'syringes, needles and swabs, how many you have and when you counted them',
      name: 'syringes, needles and swabs, how many you have and when you counted them',
      count: 'syringes, needles and swabs, how many you have and when you counted them',
      countedAt: 'syringes, needles and swabs, how many you have and when you counted them',
      perInjection: 'syringes, needles and swabs, how many you have and when you counted them',
      createdAt: 'dates',
    },
    '_id userId version importId edits',
    'createdAt countedAt',
  ),
  dose_draws: about(
    'doses',
    { compoundId: 'the vials that doses came from', doseId: 'the vials that doses came from' },
    '_id userId round',
    '',
  ),
  dose_ceilings: about(
    'doses',
    {
      name: 'limits you set',
      unit: 'limits you set',
      perDose: 'limits you set',
      perDay: 'limits you set',
      per7Days: 'limits you set',
    },
    '_id userId nameKey',
    '',
  ),
  proposals: about(
    'proposals',
    {
      operation: 'what a program asks to change',
      summary: 'what a program asks to change',
      values: 'what a program asks to change',
      source: 'which token it used',
      state: 'your answer',
      message: 'your answer',
      createdAt: 'when it was proposed and answered',
      answeredAt: 'when it was proposed and answered',
      expiresAt: 'when it was proposed and answered',
    },
    '_id userId fingerprint claimedUntil removedAt',
    'createdAt answeredAt',
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
      blend: 'what a blend contains',
      doseAmount: 'dose and route',
      doseUnit: 'dose and route',
      route: 'dose and route',
      frequency: 'when it is due',
      times: 'when it is due',
      firstDueAt: 'when it is due',
      resumedAt: 'when you created and changed it',
      timeZone: 'when it is due',
      startDate: 'when it is due',
      endDate: 'when it is due',
      ramp: 'when it is due',
      course: 'when it is due',
      moves: 'when it is due',
      pauses: 'when it is due',
      restsUntil: 'when it is due',
      swaps: COMPOUND.name,
      endsWithVial: 'when it is due',
      stopsAt: 'when it is due',
      nextDoseDate: 'when it is due',
      lastDoseDate: 'when you last took it',
      lastDoseBefore: 'when you last took it',
      reminderLeadMinutes: 'reminders',
      isActive: 'whether it runs',
      createdAt: 'when you created and changed it',
      updatedAt: 'when you created and changed it',
      ...NOTES,
    },
    '_id userId importId revision madeUntil pastFrom claimedUntil keptIn',
    'createdAt updatedAt',
  ),
  schedule_templates: about(
    'schedules',
    {
      title: 'your own templates',
      facts: 'your own templates',
      createdAt: 'when you created and changed it',
    },
    '_id userId',
    'createdAt',
  ),
  calendar_feeds: about(
    'schedules',
    { privacy: 'how much the calendar link shows', createdAt: 'when you created and changed it' },
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
      asNeeded: 'whether it was taken as needed',
      chain: 'when it is due',
      movedFrom: 'when it is due',
      moveHistory: 'when it is due',
      movedAt: 'when it is due',
      site: 'injection site',
      draws: 'what was drawn from which vial',
      blend: 'what a blend contains',
      drawn: 'what a blend contains',
      before: 'what it was before you changed it',
      actedAt: 'when you logged it',
      ...NOTES,
    },
    '_id userId scheduleRevision round remindAt remindStage remindCount remindClaim remindClaimedUntil nameKey nameKeys missAt version importId',
    'actedAt',
  ),
  reminders: about(
    'reminders',
    {
      doseId: 'which dose',
      doseIds: 'which dose',
      openIds: 'which dose',
      stepAt: 'when it was shown and read',
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
      doseIds: 'which dose',
      channel: 'whether it went by mail, push or ntfy, and whether it arrived',
      type: 'kind',
      title: 'the text, which may name a compound and an amount',
      message: 'the text, which may name a compound and an amount',
      isDiscreet: 'the text, which may name a compound and an amount',
      madeAt: 'when it was sent',
      state: 'whether it went by mail, push or ntfy, and whether it arrived',
      sentAt: 'when it was sent',
      reason: 'whether it went by mail, push or ntfy, and whether it arrived',
      isEscalation: 'whether it went by mail, push or ntfy, and whether it arrived',
      shownAt: 'whether it went by mail, push or ntfy, and whether it arrived',
    },
    '_id userId reminderId subscriptionId nextAt claim attempts expiresAt',
    'madeAt sentAt',
  ),
  ntfy_topics: about(
    'push',
    {
      url: 'the address of your ntfy topic',
      token: 'the encrypted access token of the topic',
      createdAt: 'when you switched it on',
    },
    '_id userId',
    'createdAt',
  ),
  webhooks: about(
    'webhooks',
    {
      url: 'the address and the events sent to it',
      events: 'the address and the events sent to it',
      secret: 'the encrypted secret that signs messages to it',
      createdAt: 'when you added it',
      failingSince: 'whether it can be reached',
    },
    '_id userId place',
    'createdAt',
  ),
  webhook_deliveries: about(
    'webhooks',
    {
      type: 'what was sent, which may name a compound and an amount',
      doseId: 'what was sent, which may name a compound and an amount',
      body: 'what was sent, which may name a compound and an amount',
      madeAt: 'when it was sent, and whether it arrived',
      state: 'when it was sent, and whether it arrived',
      sentAt: 'when it was sent, and whether it arrived',
      triedAt: 'when it was sent, and whether it arrived',
      status: 'when it was sent, and whether it arrived',
      reason: 'when it was sent, and whether it arrived',
    },
    '_id userId webhookId eventId nextAt claim attempts until expiresAt',
    'madeAt sentAt',
  ),
  push_subscriptions: about(
    'push',
    {
      endpoint: 'its address at the push service of your browser’s vendor',
      p256dh: 'the keys that encrypt messages to it',
      auth: 'the keys that encrypt messages to it',
      browser: 'browser',
      createdAt: 'when you switched it on',
      provenAt: 'when it last showed a message',
    },
    '_id userId signInId',
    'createdAt provenAt',
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
      startedAt: 'when it started and ended',
      resolvedDate: 'when it started and ended',
      resolvedAt: 'when it started and ended',
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
    { data: 'the picture itself, without location or camera data' },
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
    '_id userId importId edits',
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
      state: 'what you ordered, for how much, and its status',
      currency: 'what you ordered, for how much, and its status',
      lines: 'what you ordered, for how much, and its status',
      steps: 'what you ordered, for how much, and its status',
      papers: 'papers',
      vialsMade: 'what you ordered, for how much, and its status',
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
      start: 'which period and compound it shows, and whether it includes your notes',
      end: 'which period and compound it shows, and whether it includes your notes',
      compound: 'which period and compound it shows, and whether it includes your notes',
      notes: 'which period and compound it shows, and whether it includes your notes',
      createdAt: 'when it was created and ends',
      expiresAt: 'when it was created and ends',
      revokedAt: 'when it was created and ends',
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
      state: 'what was imported from it',
      rows: 'what was imported from it',
      fresh: 'what was imported from it',
      added: 'what was imported from it',
      kept: 'what was imported from it',
      bad: 'rows that were wrong',
      badCount: 'rows that were wrong',
      unusual: 'rows with unusual amounts',
      unusualCount: 'rows with unusual amounts',
      health: 'what was found in a health export',
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
      code: 'whose link you came through',
      standing: 'whether the days were credited, and when',
      createdAt: 'whether the days were credited, and when',
      creditedAt: 'whether the days were credited, and when',
      reversedAt: 'whether the days were credited, and when',
    },
    '_id userId grantId',
    'createdAt creditedAt reversedAt',
  ),
  billing: about(
    'payments',
    { state: 'status of the subscription', toCancelSince: 'status of the subscription' },
    '_id userId version',
    'toCancelSince',
  ),
  billing_events: about(
    'payments',
    {
      type: 'what the payment provider reported, and when',
      at: 'what the payment provider reported, and when',
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
    '_id userId issueId',
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
  demo_interest: about(
    'waitlist',
    { _id: 'email address', createdAt: 'when you entered it' },
    '',
    'createdAt',
  ),
};

/** One entry of the privacy page: a kind of data, what is stored, and for how long. */
export interface StoredLine {
  title: string;
  what: string;
  kept: string;
  isHealth: boolean;
}

/** What is stored about a person, by kind, in the order of the privacy page. */
export function storedLines(isSelling: boolean): StoredLine[] {
  const shown = Object.entries(STORED_KINDS).filter(([kind]) => isSelling || !SOLD_KINDS.includes(kind));
  return shown.map(([kind, { title, kept, keptByAll = kept, isHealth = false }]: [string, KindOfData]) => {
    const words = Object.values(STORED_DATA)
      .filter((collection) => collection.kind === kind)
      .flatMap(({ fields }) => Object.values(fields))
      .filter((word) => isSelling || !SOLD_WORDS.includes(word));
    const what = [...new Set(words)].join(', ');
    return {
      title,
      what: `${what.charAt(0).toUpperCase()}${what.slice(1)}.`,
      kept: isSelling ? kept : keptByAll,
      isHealth,
    };
  });
}
