import { makeRequired } from "@/components/form/fields";
import { BillingProfileInput } from "@/server/domains/billing/billing-profile/contract";

const VKN_LENGTH = 10;

/** Billing details with everything that the invoice needs (`findMissingInvoiceFields`). */
export function buildCheckoutForm({ hasTaxNumber }: { hasTaxNumber: boolean }) {
  const { address, district, city } = BillingProfileInput.shape;
  const body = BillingProfileInput.extend({
    address: makeRequired(address),
    district: makeRequired(district),
    city: makeRequired(city),
  }).superRefine((values, ctx) => {
    const needsTaxFields = values.kind === "company" || values.tax_number?.length === VKN_LENGTH;
    const requiredFields = [
      ...(needsTaxFields ? (["tax_office"] as const) : []),
      ...(needsTaxFields && !hasTaxNumber ? (["tax_number"] as const) : []),
    ];
    for (const field of requiredFields)
      if (!values[field]) ctx.addIssue({ code: "custom", message: "validation.required", path: [field] });
  });
  return { body };
}
