export { isUserChange, offeredChanges, USER_CHANGES, type UserChange } from './changes.ts';
export { behind, domainOf, readUserSearch, type UserSearch } from './user-search.ts';
export {
  matchesUserFilter,
  ROLE_FILTERS,
  roleStep,
  STATUS_FILTERS,
  SUBSCRIPTION_FILTERS,
  USER_SORTS,
  type RoleFilter,
  type StatusFilter,
  type SubscriptionFilter,
  type UserFilter,
  type UserSort,
} from './user-filter.ts';
