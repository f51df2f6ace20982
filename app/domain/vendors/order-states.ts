/** The states of an order. `received` and `cancelled` are final. */
export const ORDER_STATES = ['draft', 'sent', 'confirmed', 'received', 'cancelled'] as const;
export type OrderState = (typeof ORDER_STATES)[number];

const NEXT: Readonly<Record<OrderState, readonly OrderState[]>> = {
  draft: ['sent', 'cancelled'],
  sent: ['confirmed', 'received', 'cancelled'],
  confirmed: ['received', 'cancelled'],
  received: [],
  cancelled: [],
};

/** The states an order can move to. A parcel may arrive before the order is confirmed. */
export function nextStates(state: OrderState): readonly OrderState[] {
  return NEXT[state];
}

export function mayBecome(state: OrderState, next: OrderState): boolean {
  return NEXT[state].includes(next);
}

/** True if the order is not in a final state. */
export const isOpen = (state: OrderState): boolean => NEXT[state].length > 0;

const LABELS: Readonly<Record<OrderState, string>> = {
  draft: 'Draft',
  sent: 'Sent',
  confirmed: 'Confirmed',
  received: 'Received',
  cancelled: 'Cancelled',
};

export function stateText(state: OrderState): string {
  return LABELS[state];
}
