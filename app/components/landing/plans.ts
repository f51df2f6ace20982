export interface PlanLine {
  text: string;
  /** Not there yet; said on the price list. */
  soon?: boolean;
}

export interface Plan {
  name: string;
  price: string;
  priceNote: string;
  lines: readonly PlanLine[];
  action: { label: string; href: string; primary: boolean };
}

/** The price list. A line loses its `soon` when what it promises is there. */
export const PLANS: readonly Plan[] = [
  {
    name: 'Free',
    price: '$0',
    priceNote: 'for as long as you like',
    lines: [
      { text: 'Basic calculator, history of the session' },
      { text: 'Export of calculations' },
      { text: 'Up to 3 compounds', soon: true },
      { text: 'Basic tracking', soon: true },
    ],
    action: { label: 'Create a free account', href: '/register', primary: false },
  },
  {
    name: 'Premium',
    price: '$5 per month',
    priceNote: 'or $30 per year',
    lines: [
      { text: 'Everything in Free, and calculations kept for good' },
      { text: 'Data export of every kind' },
      { text: 'Unlimited compounds', soon: true },
      { text: 'Advanced analytics', soon: true },
      { text: 'Smart notifications', soon: true },
      { text: 'Protocol templates', soon: true },
    ],
    action: { label: 'Start free trial', href: '/register?plan=trial', primary: true },
  },
];
