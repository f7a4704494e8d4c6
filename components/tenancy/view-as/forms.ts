import * as z from "zod";
import { getBodyFields } from "@/components/form/fields";
import { putSupportAccess, startView } from "@/server/domains/tenancy/view-as/contract";
import { SUPPORT_PERIODS, VIEW_MINUTES } from "@/server/domains/tenancy/view-as/policy";

export const startViewForm = {
  body: getBodyFields(startView)
    .pick({ reason: true })
    .extend({ minutes: z.enum(VIEW_MINUTES.map(String) as [string, ...string[]]) }),
};

export const supportAccessForm = {
  body: getBodyFields(putSupportAccess)
    .pick({})
    .extend({ until: z.enum(["off", ...SUPPORT_PERIODS]) }),
};
