export { levelCurve, MAX_SAMPLES, type LevelPoint } from './curve.ts';
export { envelopeOf, type Stretch } from './envelope.ts';
export { findHalfLife, HALF_LIFE_HOURS, HALF_LIVES, type HalfLife } from './half-lives.ts';
export {
  emptyBody,
  levelAt,
  rateOf,
  SUBCUTANEOUS_ABSORPTION_HOURS,
  type Kinetics,
  type ModelDose,
} from './kinetics.ts';
export { thinOut } from './thin-out.ts';
