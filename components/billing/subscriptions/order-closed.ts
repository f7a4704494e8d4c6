import type { FormError } from "@/components/api/form-error";

/** True if an order to replace was paid or cancelled after the page was loaded. */
export const isOrderClosed = ({ errors }: FormError) => "replaces_order_ids" in errors;
