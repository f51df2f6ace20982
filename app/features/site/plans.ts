export interface Plan {
  name: string;
  price: string;
  priceNote: string;
  lines: readonly string[];
  action: { label: string; href: string; primary: boolean };
}

/** The price list. Each line is there. */
export const PLANS: readonly Plan[] = [
  {
    name: 'Free',
    price: '$0',
    priceNote: 'for as long as you like',
    lines: [
      'Basic calculator, history of the session',
      'Export of calculations',
      'Up to 3 compounds',
      'Basic tracking',
    ],
    action: { label: 'Create a free account', href: '/register', primary: false },
  },
  {
    name: 'Premium',
    price: '$5 per month',
    priceNote: 'or $30 per year',
    lines: [
      'Everything in Free, and calculations kept for good',
      'Data export of every kind',
      'Unlimited compounds',
      'Advanced analytics',
      'Smart notifications',
      'Protocol templates',
    ],
    action: { label: 'Start free trial', href: '/register?plan=trial', primary: true },
  },
];
