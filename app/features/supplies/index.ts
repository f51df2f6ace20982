export { SupplyChangesForm, SupplyForm } from './supply-forms.tsx';
export { SupplyList } from './supply-list.tsx';
