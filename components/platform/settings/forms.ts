import * as z from "zod";
import { fieldsOf, requiredField } from "@/components/form/fields";
import { putSettings } from "@/server/domains/platform/settings/contract";

/* Form schemas, loaded when a form is used. */

const fields = fieldsOf(putSettings).shape;

export const forms = {
  bank: { body: requiredField(fields.bank) },
  vat: { body: z.object({ vat_rate: requiredField(fields.vat_rate) }) },
  consumer: {
    body: z.object({ final_consumer_tax_number: requiredField(fields.final_consumer_tax_number) }),
  },
  resets: {
    body: z.object({
      factor_reset_delay_hours: requiredField(fields.factor_reset_delay_hours),
      two_administrators: requiredField(fields.two_administrators),
    }),
  },
  retention: {
    body: z.object({
      mail_retention_days: requiredField(fields.mail_retention_days),
      audit_retention_days: requiredField(fields.audit_retention_days),
      webhook_retention_days: requiredField(fields.webhook_retention_days),
    }),
  },
  signUps: { body: z.object({ sign_up: requiredField(fields.sign_up) }) },
  agreement: { body: z.object({ agreement_grace_days: requiredField(fields.agreement_grace_days) }) },
  support: { body: requiredField(fields.support_contact) },
  referral: { body: z.object({ referral_rate: requiredField(fields.referral_rate) }) },
};

export const twoFactorForm = { body: requiredField(fields.two_factor_duty).shape.user.unwrap() };
