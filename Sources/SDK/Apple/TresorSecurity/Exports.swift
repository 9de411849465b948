// As Apple's Security does: whoever has its calls has the names of what they take.
@_exported public import TresorCoreFoundation
