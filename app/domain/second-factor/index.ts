export {
  CODE_DIGITS,
  isFreshStep,
  parseCode,
  SECRET_BYTES,
  STEP_SECONDS,
  STEP_TOLERANCE,
  stepOf,
} from './code.ts';
export {
  formatRecoveryCode,
  parseRecoveryCode,
  RECOVERY_CODE_BYTES,
  RECOVERY_CODES,
  recoveryCodes,
} from './recovery-codes.ts';
