import { getBodyFields } from "@/components/form/fields";
import { createSnippet } from "@/server/domains/sites/snippets/contract";

export const snippetForm = { body: getBodyFields(createSnippet) };
