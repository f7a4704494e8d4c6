import { fieldsOf } from "@/components/form/fields";
import { createSnippet } from "@/server/domains/sites/snippets/contract";

/** What a person types of a snippet; its file is chosen. */
export const snippetForm = { body: fieldsOf(createSnippet) };
