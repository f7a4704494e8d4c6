-- CreateTable
CREATE TABLE "key_use" (
    "id" BIGSERIAL NOT NULL,
    "token_id" INTEGER,
    "external_key_id" INTEGER,
    "day" DATE NOT NULL,
    "operation" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "calls" INTEGER NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "key_use_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "key_use_external_key_id_idx" ON "key_use"("external_key_id");

-- CreateIndex
CREATE INDEX "key_use_day_idx" ON "key_use"("day");

-- AddForeignKey
ALTER TABLE "key_use" ADD CONSTRAINT "key_use_token_id_fkey" FOREIGN KEY ("token_id") REFERENCES "access_tokens"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "key_use" ADD CONSTRAINT "key_use_external_key_id_fkey" FOREIGN KEY ("external_key_id") REFERENCES "external_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One row for what is counted together; one of the keys is null.
CREATE UNIQUE INDEX "key_use_counted_key" ON "key_use"("token_id", "external_key_id", "day", "operation", "address") NULLS NOT DISTINCT;

ALTER TABLE "key_use" ADD CONSTRAINT "key_use_of_one_key" CHECK (("token_id" IS NULL) <> ("external_key_id" IS NULL));
