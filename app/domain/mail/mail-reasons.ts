/** Why a security notice is sent; it cannot be switched off. */
export const SECURITY_REASON = 'You get this mail because the security of your account changed.';

/** Why a billing notice is sent. */
export const BILLING_REASON = 'You get this mail because of your Vialbook subscription.';

/** Why a notice about the account itself is sent. */
export const ACCOUNT_REASON = 'You get this mail because you have a Vialbook account.';

/** What to do about a change that the owner did not make. */
export const NOT_YOU =
  'If this was not you, reset your password now. That signs out every device and ends every open session.';

/** Stands wherever the end of Premium is told. */
export const NOTHING_DELETED =
  'Nothing is deleted. What you have stays readable, and the free plan goes on working.';
