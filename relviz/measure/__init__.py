"""How much two spaces agree: anchor retrieval and CKA, each with its level of chance or control."""
