export { CatalogueForm } from './catalogue-form.tsx';
export { OrderForm, SupplierChoice } from './order-form.tsx';
export { OrderList, ReorderList } from './order-list.tsx';
export { OrderDetail, ReceiveForm } from './order-page.tsx';
export { PriceGroups } from './price-groups.tsx';
export { ProductForm, type ProductValues } from './product-form.tsx';
export { ProductTable } from './product-table.tsx';
export { SupplierForm, SupplierList } from './supplier-list.tsx';
export { VendorPage, VendorStep } from './vendor-page.tsx';
