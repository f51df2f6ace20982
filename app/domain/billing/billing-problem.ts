import type { BillingEvent, DisputeFacts, DisputePhase } from './billing-event.ts';
import type { Trouble, TroubleType } from './billing-state.ts';
import { earlier, later, withEntry } from './stripe-times.ts';

function opened(type: TroubleType, about: string, at: Date, amountCents: number): Trouble {
  return { id: `${type}:${about}`, type, openedAt: at, closedAt: null, amountCents };
}

function closed(type: TroubleType, about: string, at: Date): Trouble {
  return { id: `${type}:${about}`, type, openedAt: null, closedAt: at, amountCents: 0 };
}

/** A bank's inquiry comes before any money is taken: the customer wants it back, and can still be given it. */
function disputeType({ isInquiry }: DisputeFacts): TroubleType {
  return isInquiry ? 'refund_request' : 'dispute';
}

/** The troubles that an event begins or ends. */
function troublesOf(event: BillingEvent): Trouble[] {
  const at = event.createdAt;
  switch (event.kind) {
    case 'invoice-failed':
      return [opened('payment_failed', event.invoice.id, at, event.invoice.amountDueCents)];
    case 'invoice-paid':
    case 'invoice-void':
      return [closed('payment_failed', event.invoice.id, at)];
    case 'card-expiring':
      return [opened('card_expired', event.card.id, at, 0)];
    case 'refund-failed':
      return [opened('refund_request', event.refundId, at, event.refundedCents)];
    case 'refunded':
      return [closed('refund_request', event.charge.id, at)];
    case 'dispute':
      return disputeTroubles(event.dispute, event.phase, at);
    default:
      return [];
  }
}

/** Named after the payment, so that its refund ends it; a decision ends both kinds, an inquiry may have become a dispute. */
function disputeTroubles(dispute: DisputeFacts, phase: DisputePhase, at: Date): Trouble[] {
  if (phase === 'opened' || phase === 'withdrawn')
    return [opened(disputeType(dispute), dispute.chargeId, at, dispute.amountCents)];
  if (phase !== 'closed') return [];
  return [closed('dispute', dispute.chargeId, at), closed('refund_request', dispute.chargeId, at)];
}

function mergeTroubles(a: Trouble, b: Trouble): Trouble {
  return {
    ...a,
    openedAt: later(a.openedAt, b.openedAt),
    closedAt: later(a.closedAt, b.closedAt),
    amountCents: Math.max(a.amountCents, b.amountCents),
  };
}

/** Ends of troubles that never began, kept for as many: a late beginning is still recognised. */
const MOST_ENDS = 48;

function withoutOldEnds(troubles: Trouble[]): Trouble[] {
  const ends = troubles.filter(({ openedAt }) => openedAt === null);
  if (ends.length <= MOST_ENDS) return troubles;
  const oldest = ends.map(({ closedAt }) => closedAt).reduce(earlier, null);
  const dropped = ends.find(({ closedAt }) => closedAt?.getTime() === oldest?.getTime());
  return troubles.filter((trouble) => trouble !== dropped);
}

/** The troubles after an event. */
export function withTroubles(known: readonly Trouble[], event: BillingEvent): Trouble[] {
  return troublesOf(event).reduce<Trouble[]>(
    (troubles, change) => {
      const same = troubles.find(({ id }) => id === change.id);
      return withoutOldEnds(withEntry(troubles, same ? mergeTroubles(same, change) : change));
    },
    [...known],
  );
}
