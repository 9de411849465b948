// Tresor
