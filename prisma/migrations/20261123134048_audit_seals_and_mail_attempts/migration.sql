-- AlterTable
ALTER TABLE "audit_events" ADD COLUMN     "after" JSONB,
ADD COLUMN     "before" JSONB,
ADD COLUMN     "content_hash" BYTEA,
ADD COLUMN     "row_hash" BYTEA,
ADD COLUMN     "seal_id" INTEGER;

-- CreateTable
CREATE TABLE "audit_seals" (
    "id" INTEGER NOT NULL,
    "rows" INTEGER NOT NULL,
    "first_id" BIGINT NOT NULL,
    "last_id" BIGINT NOT NULL,
    "digest" BYTEA NOT NULL,
    "prev_hash" BYTEA,
    "hash" BYTEA NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "audit_seals_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_heads" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "seal_id" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,
    "mac" BYTEA NOT NULL,

    CONSTRAINT "audit_heads_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mail_attempts" (
    "id" SERIAL NOT NULL,
    "mail_id" INTEGER NOT NULL,
    "via" TEXT NOT NULL,
    "account_id" INTEGER,
    "outcome" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mail_attempts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "mail_attempts_mail_id_id_idx" ON "mail_attempts"("mail_id", "id");

-- AddForeignKey
ALTER TABLE "mail_attempts" ADD CONSTRAINT "mail_attempts_mail_id_fkey" FOREIGN KEY ("mail_id") REFERENCES "mail_messages"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What waits for its seal: a minute's entries.
CREATE INDEX "audit_events_unsealed_idx" ON "audit_events"("id") WHERE "seal_id" IS NULL;

-- Nothing of an entry changes, with two exceptions: it gets its seal, once, and the end of an account empties what tells about
-- a person. Of the fields that changed, the release before this one knows nothing: they go with the facts.
CREATE FUNCTION audit_events_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    RAISE EXCEPTION 'entries of the audit log are not deleted';
  END IF;
  IF new.seal_id IS NOT DISTINCT FROM old.seal_id AND new.details IS NULL THEN
    new.before := NULL;
    new.after := NULL;
  END IF;
  IF (new.id, new.at, new.actor_kind, new.actor_id, new.on_behalf_of, new.action, new.object_type, new.object_id, new.request_id)
     IS DISTINCT FROM
     (old.id, old.at, old.actor_kind, old.actor_id, old.on_behalf_of, old.action, old.object_type, old.object_id, old.request_id)
     OR (old.seal_id IS NOT NULL AND (new.seal_id, new.content_hash, new.row_hash) IS DISTINCT FROM
                                     (old.seal_id, old.content_hash, old.row_hash))
     OR (new.details IS DISTINCT FROM old.details AND new.details IS NOT NULL)
     OR (new.before IS DISTINCT FROM old.before AND new.before IS NOT NULL)
     OR (new.after IS DISTINCT FROM old.after AND new.after IS NOT NULL)
     OR (new.ip IS DISTINCT FROM old.ip AND new.ip IS NOT NULL)
     OR (new.user_agent IS DISTINCT FROM old.user_agent AND new.user_agent IS NOT NULL) THEN
    RAISE EXCEPTION 'entries of the audit log are not changed';
  END IF;
  RETURN new;
END $$;

CREATE TRIGGER "audit_events_kept" BEFORE UPDATE OR DELETE ON "audit_events"
  FOR EACH ROW EXECUTE FUNCTION audit_events_kept();
