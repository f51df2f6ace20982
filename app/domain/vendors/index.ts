export {
  catalogueField,
  readCatalogue,
  REQUIRED_CATALOGUE_FIELDS,
  type BadLine,
  type Catalogue,
  type CatalogueLine,
} from './catalogue.ts';
export { COMMON_CURRENCIES, currencyCode, orderTotal, shownMoney, shownPrice } from './money.ts';
export {
  isDraft,
  isOpen,
  mayBecome,
  nextStates,
  ORDER_STATES,
  stateText,
  type OrderState,
} from './order-states.ts';
export {
  comparePrices,
  pricePerMg,
  type PricedProduct,
  type PricedRow,
  type PriceGroup,
} from './price-per-mg.ts';
export {
  reorderSuggestions,
  SUGGESTED_AHEAD_DAYS,
  type OpenOrder,
  type ReorderSuggestion,
} from './reorder.ts';
