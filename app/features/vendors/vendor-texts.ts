import type { ProductForm } from '#app/domain/vendors/vendor-schema.ts';
import type { OrderState } from '#app/domain/vendors/order-states.ts';
import type { BadgeTone } from '#app/ui/badge.tsx';

export const FORM_LABELS: Readonly<Record<ProductForm, string>> = {
  lyophilised: 'Lyophilised powder',
  solution: 'Solution',
  capsule: 'Capsule',
  other: 'Other',
};

/** The colour of a state's badge, which only repeats the word. */
export const STATE_TONE: Readonly<Record<OrderState, BadgeTone>> = {
  draft: 'soft',
  sent: 'pen',
  confirmed: 'pen',
  received: 'good',
  cancelled: 'soft',
};
